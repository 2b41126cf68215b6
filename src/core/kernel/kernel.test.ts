import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deadline } from './deadline.ts';
import { canonicalJson, hashOf } from './hash.ts';
import { Lanes } from './lanes.ts';
import { Lifetime } from './lifetime.ts';
import { Secret } from './secret.ts';

describe('a lifetime', () => {
  it('aborts, waits for work, cleans up last first and reports every failure', async () => {
    const log: string[] = [];
    const life = new Lifetime();
    life.onEnd(() => void log.push('first'));
    life.onEnd(() => {
      log.push('second');
      throw new Error('x');
    });
    const child = life.child();
    child.onEnd(() => void log.push('child'));
    life.run(
      async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        log.push('work');
      },
      () => undefined,
    );
    await expect(life.end()).rejects.toThrow('Some cleanups failed');
    expect(log).toEqual(['work', 'child', 'second', 'first']);
    expect(child.signal.aborted).toBe(true);
    expect(() => life.onEnd(() => undefined)).toThrow();
  });

  it('hands a failure of its background work to the owner', async () => {
    const life = new Lifetime();
    const failure = new Promise((resolve) => {
      life.run(async () => {
        throw new Error('boom');
      }, resolve);
    });
    expect(await failure).toMatchObject({ message: 'boom' });
    await life.end();
  });
});

describe('lanes', () => {
  it('run one thing at a time for a key, others side by side, and go on after a failure', async () => {
    const lanes = new Lanes<string>();
    const log: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = lanes.run('a', async () => {
      await gate;
      log.push('a1');
      throw new Error('x');
    });
    const second = lanes.run('a', async () => void log.push('a2'));
    await lanes.run('b', async () => void log.push('b'));
    expect(log).toEqual(['b']);
    open();
    await expect(first).rejects.toThrow('x');
    await second;
    await lanes.drained();
    expect(log).toEqual(['b', 'a1', 'a2']);
  });
});

describe('a secret', () => {
  it('shows itself to nobody who prints, copies or serialises it', () => {
    const secret = new Secret('hunter2');
    for (const shown of [JSON.stringify({ secret }), `${String(secret)}`, inspect(secret, { showHidden: true, depth: 5 }), JSON.stringify(structuredClone(Object.assign({}, secret)))]) expect(shown).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
  });
});

describe('a hash', () => {
  it('is the same for the same meaning and another for another', () => {
    expect(hashOf({ a: 1, b: [1, undefined] })).toBe(hashOf({ b: [1, null], a: 1, c: undefined }));
    expect(hashOf({ a: '1' })).not.toBe(hashOf({ a: 1 }));
    expect(hashOf(['ab', 'c'])).not.toBe(hashOf(['a', 'bc']));
    expect(canonicalJson({ b: 1, a: { d: 2, c: 3 } })).toBe('{"a":{"c":3,"d":2},"b":1}');
  });
});

describe('a deadline', () => {
  it('aborts with its own reason when time is up, and with the parent’s when that is first', async () => {
    using short = deadline(1, new AbortController().signal);
    await new Promise((resolve) => short.signal.addEventListener('abort', resolve));
    expect(short.expired()).toBe(true);
    expect(short.signal.reason).toMatchObject({ name: 'TimeoutError' });
    const parent = new AbortController();
    using long = deadline(60_000, parent.signal);
    parent.abort(new Error('mine'));
    expect(long.expired()).toBe(false);
    expect(long.signal.reason).toMatchObject({ message: 'mine' });
  });
});
