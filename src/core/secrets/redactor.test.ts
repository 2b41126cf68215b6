import { describe, expect, it } from 'vitest';
import { Secret } from '../kernel/secret.ts';
import { Redactor } from './redactor.ts';

const knowing = (...values: readonly string[]): Redactor => {
  const redactor = new Redactor();
  for (const value of values) redactor.register(new Secret(value));
  return redactor;
};
const value = 'p@ss/w0rd+"x" é';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a registered value is masked', () => {
  it.each([
    ['as it is', value],
    ['in an address', encodeURIComponent(value)],
    ['in an address with small hexadecimal digits', encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ['in a form', new URLSearchParams({ v: value }).toString().slice(2)],
    ['in JSON', JSON.stringify(value).slice(1, -1)],
    ['in JSON with escaped slashes', JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/')],
    ['in ASCII JSON, as Python writes it', 'p@ss/w0rd+\\"x\\" \\u00e9'],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ['in base64', base64(value)],
    ['in base64url', Buffer.from(value).toString('base64url')],
    ['in hexadecimal', Buffer.from(value).toString('hex')],
    ['in capital hexadecimal', Buffer.from(value).toString('hex').toUpperCase()],
    ['in base64 behind one character', base64(`:${value}`)],
    ['in base64 behind two characters', base64(`u:${value}`)],
    ['in base64 behind a user and before more', base64(`user:${value}@rest`)],
  ])('%s', (_, form) => {
    expect(knowing(value).mask(`before "${form}" after`)).toBe('before "•••" after');
  });

  it('wherever it stands, as often as it does', () => {
    const redactor = knowing('hunter22');
    expect(redactor.mask('hunter22')).toBe('•••');
    expect(redactor.mask('xhunter22hunter22y hunter2 hunter22')).toBe('x••••••y hunter2 •••');
    expect(redactor.mask('hunterhunter22')).toBe('hunter•••');
  });

  it('in the headers that are made of it', () => {
    const redactor = knowing('id-of-client', 'abcdef123456');
    expect(redactor.mask('Authorization: Bearer abcdef123456')).toBe('Authorization: Bearer •••');
    expect(redactor.mask(`Authorization: Basic ${base64('id:abcdef123456')}`)).toBe('Authorization: Basic •••');
    expect(redactor.mask('https://host/path?token=abcdef123456&x=1')).toBe('https://host/path?token=•••&x=1');
  });
});

describe('parts of a value that are secret by themselves are masked', () => {
  it('what follows the scheme of a header', () => {
    expect(knowing('Bearer abcdef123456').mask('token abcdef123456 refused')).toBe('token ••• refused');
  });

  it('the password within a Basic header', () => {
    expect(knowing(`Basic ${base64('me:abcdef123456')}`).mask('login me with abcdef123456')).toBe('login me with •••');
  });

  it('the password of an address', () => {
    expect(knowing('postgres://app:s3cr%2Fet99@db:5432/x').mask('auth failed for s3cr/et99 (s3cr%2Fet99)')).toBe('auth failed for ••• (•••)');
  });

  it('the lines of a key, and a value whose last newline got lost', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nsecondlineofthekey01\n-----END KEY-----\n';
    const masked = knowing(key).mask('-----BEGIN KEY-----\n  secondlineofthekey01');
    expect(masked).toBe('-----BEGIN KEY-----\n  •••');
    expect(knowing('abcdef123456\n').mask('=abcdef123456;')).toBe('=•••;');
  });
});

describe('other text is left alone', () => {
  it('short values are masked where they stand alone, never inside words, and very short ones not at all', () => {
    const redactor = knowing('1234', 'abc', 'x', '');
    expect(redactor.mask('pin 1234, 12345, abc-abc abcd, x xx')).toBe('pin •••, 12345, •••-••• abcd, x xx');
  });

  it('short values with signs of patterns are taken as they are', () => {
    expect(knowing('a.b*').mask('a.b* axb a.b*')).toBe('••• axb •••');
    expect(knowing('$-(]').mask('is $-(] so')).toBe('is ••• so');
  });

  it('text without a value comes back as the same text, and nothing is masked once it is forgotten', () => {
    const redactor = knowing('hunter22', 'hunter33');
    expect(redactor.mask('Nothing to see in 日本語 😀 here')).toBe('Nothing to see in 日本語 😀 here');
    redactor.forget(new Secret('hunter22'));
    expect(redactor.mask('hunter22 hunter33')).toBe('hunter22 •••');
  });

  it('half a surrogate pair in a value does no harm', () => {
    expect(knowing('half\uD800pair').mask('a half\uD800pair b')).toBe('a ••• b');
  });
});

it('values that hold each other are masked as a whole', () => {
  const redactor = knowing('secret-value', 'secret-value-long', 'secret-value-lazy', 'secret-values');
  expect(redactor.mask('secret-value-long secret-value secret-value-lost secret-values secret-valu')).toBe('••• ••• •••-lost ••• secret-valu');
});

it('a large text is masked quickly however many values there are', () => {
  const redactor = knowing(...Array.from({ length: 500 }, (_, n) => `sk-live-${n}-${'0123456789abcdef'.repeat(2)}`));
  const text = 'The quick brown fox sk-live jumps over {"a":[1,2,3]} and on. '.repeat(30_000);
  redactor.mask('');
  const before = performance.now();
  expect(redactor.mask(`${text}sk-live-499-${'0123456789abcdef'.repeat(2)}`)).toBe(`${text}•••`);
  expect(performance.now() - before).toBeLessThan(3_000);
});
