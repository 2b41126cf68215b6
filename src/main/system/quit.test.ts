import { describe, expect, it } from 'vitest';
import { Quit, quitQuestion, type Busy } from './quit.ts';

const nothing: Busy = { runs: 0, calls: 0, approvals: 0 };

function setUp({ busy = nothing, answer = true, close = async () => undefined, closeWithinMs = 5_000 }: { busy?: Busy; answer?: boolean | Promise<boolean>; close?: () => Promise<void>; closeWithinMs?: number } = {}) {
  const events: string[] = [];
  const quit: Quit = new Quit({
    busy: () => busy,
    ask: async (question) => {
      events.push(`ask: ${question}`);
      return answer;
    },
    close: async () => {
      events.push('close');
      await close();
    },
    exit: (again) => void events.push(`exit, leaving ${quit.leaving}${again ? ', again' : ''}`),
    onProblem: (message) => void events.push(`problem: ${message}`),
    closeWithinMs,
  });
  return { quit, events };
}

describe('quitting', () => {
  it('asks nothing when nothing runs', async () => {
    const { quit, events } = setUp();
    await quit.request({ polite: true });
    expect(events).toEqual(['close', 'exit, leaving true']);
  });

  it('asks when something runs, and stays when told to', async () => {
    const { quit, events } = setUp({ busy: { ...nothing, calls: 2 }, answer: false });
    await quit.request({ polite: true });
    expect(events).toEqual(['ask: 2 tool calls are running. Quit anyway?']);
    expect(quit.leaving).toBe(false);
    await quit.request({ polite: true });
    expect(events).toHaveLength(2);
  });

  it('leaves when told to', async () => {
    const { quit, events } = setUp({ busy: { ...nothing, runs: 1 } });
    await quit.request({ polite: true });
    expect(events).toEqual(['ask: 1 chat is running. Quit anyway?', 'close', 'exit, leaving true']);
  });

  it('starts again only when the person leaves by Restart', async () => {
    const { quit, events } = setUp();
    await quit.request({ polite: true, again: true });
    expect(events).toEqual(['close', 'exit, leaving true, again']);
    const stayed = setUp({ busy: { ...nothing, runs: 1 }, answer: false });
    await stayed.quit.request({ polite: true, again: true });
    await stayed.quit.request({ polite: false });
    expect(stayed.events.at(-1)).toBe('exit, leaving true');
  });

  it('asks once, and a signal does not wait for the answer', async () => {
    let reply: (leave: boolean) => void = () => undefined;
    const { quit, events } = setUp({ busy: { ...nothing, runs: 1 }, answer: new Promise((resolve) => { reply = resolve; }) });
    const asked = quit.request({ polite: true });
    await quit.request({ polite: true });
    await quit.request({ polite: false });
    reply(false);
    await asked;
    await quit.request({ polite: true });
    expect(events).toEqual(['ask: 1 chat is running. Quit anyway?', 'close', 'exit, leaving true']);
  });

  it('leaves although closing hangs or fails', async () => {
    const hung = setUp({ close: () => new Promise(() => undefined), closeWithinMs: 20 });
    await hung.quit.request({ polite: true });
    expect(hung.events).toEqual(['close', 'problem: Not closed within 20 ms; leaving anyway', 'exit, leaving true']);
    const failing = setUp({ close: () => Promise.reject(new Error('no')) });
    await failing.quit.request({ polite: false });
    expect(failing.events).toEqual(['close', 'problem: Closing failed', 'exit, leaving true']);
  });
});

it.each<[Busy, string | undefined]>([
  [nothing, undefined],
  [{ runs: 0, calls: 1, approvals: 0 }, '1 tool call is running. Quit anyway?'],
  [{ runs: 2, calls: 3, approvals: 1 }, '3 tool calls and 2 chats are running. Quit anyway?'],
  [{ runs: 0, calls: 0, approvals: 1 }, '1 approval waits for you. Quit anyway?'],
  [{ runs: 0, calls: 0, approvals: 2 }, '2 approvals wait for you. Quit anyway?'],
])('says what would be cut short: %o', (busy, message) => {
  expect(quitQuestion(busy)?.message).toBe(message);
});
