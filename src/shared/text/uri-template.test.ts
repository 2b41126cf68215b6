import { describe, expect, it } from 'vitest';
import { expandTemplate, matchesTemplate, templateVariables } from './uri-template.ts';

const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', empty: '', x: '1024', y: '768', v: '6', half: '50%', semi: ';', who: 'fred' };

describe('a URI template', () => {
  // The examples of RFC 6570, section 3.2, that have text for values.
  it.each([
    ['{var}', 'value'], ['{hello}', 'Hello%20World%21'], ['{half}', '50%25'], ['O{empty}X', 'OX'], ['O{undef}X', 'OX'], ['{x,y}', '1024,768'], ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,empty}', '?1024,'], ['?{x,undef}', '?1024'], ['{var:3}', 'val'], ['{var:30}', 'value'], ['{+var}', 'value'], ['{+hello}', 'Hello%20World!'], ['{+half}', '50%25'],
    ['{+path}/here', '/foo/bar/here'], ['here?ref={+path}', 'here?ref=/foo/bar'], ['{+x,hello,y}', '1024,Hello%20World!,768'], ['{+path,x}/here', '/foo/bar,1024/here'], ['{+path:6}/here', '/foo/b/here'],
    ['{#var}', '#value'], ['{#hello}', '#Hello%20World!'], ['foo{#empty}', 'foo#'], ['foo{#undef}', 'foo'], ['{#path,x}/here', '#/foo/bar,1024/here'], ['{.who}', '.fred'], ['{.who,who}', '.fred.fred'],
    ['X{.empty}', 'X.'], ['{/who}', '/fred'], ['{/var,empty}', '/value/'], ['{/var,x}/here', '/value/1024/here'], ['{;who}', ';who=fred'], ['{;empty}', ';empty'], ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{?x,y}', '?x=1024&y=768'], ['{?x,y,empty}', '?x=1024&y=768&empty='], ['{?x,y,undef}', '?x=1024&y=768'], ['?fixed=yes{&x}', '?fixed=yes&x=1024'], ['{&x,y,empty}', '&x=1024&y=768&empty='],
    ['{semi}', '%3B'], ['{who*}', 'fred'],
  ])('%s gives %s', (template, uri) => {
    expect(expandTemplate(template, values)).toBe(uri);
    expect(matchesTemplate(template, uri)).toBe(true);
  });

  it('names its variables once, and takes what is no expression as it is', () => {
    expect(templateVariables('db://{table}/{id}{?id,page*}')).toEqual(['table', 'id', 'page']);
    expect(expandTemplate('a{}b{x y}', { x: '1' })).toBe('a{}b{x y}');
    expect(expandTemplate('{constructor}{x}', { x: '\ud800' })).toBe('%EF%BF%BD');
  });

  it('tells its own URIs from others', () => {
    const rows = 'db://{table}/rows/{id}';
    expect(matchesTemplate(rows, 'db://plums/rows/7')).toBe(true);
    expect(matchesTemplate(rows, 'db://plums%2Fpears/rows/a b')).toBe(true);
    for (const other of ['db://plums/rows/7/secret', 'db://a/b/rows/7', 'db://plums/rows/7?all', 'xdb://plums/rows/7', 'db://plums/columns/7', '']) expect(matchesTemplate(rows, other), other).toBe(false);
    expect(matchesTemplate('file:///{+path}', 'file:///a/b/c.txt')).toBe(true);
    expect(matchesTemplate('file:///{path}', 'file:///a/b/c.txt')).toBe(false);
    expect(matchesTemplate('x:{/a,b}', 'x:/1/2')).toBe(true);
    expect(matchesTemplate('x:{/a,b}', 'x:/1/2/3')).toBe(false);
    expect(matchesTemplate('x:{.a}.b', 'x:.b')).toBe(true);
  });

  it('is not made slow by whoever wrote it', () => {
    const hostile = '{a}'.repeat(64);
    const began = performance.now();
    expect(matchesTemplate(hostile, `${'a'.repeat(8000)}/`)).toBe(false);
    expect(matchesTemplate(`${'{+a}x'.repeat(30)}!`, 'x'.repeat(8000))).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
