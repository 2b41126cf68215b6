import { describe, expect, it } from 'vitest';
import type { ServerRow } from '../../shared/state/app-state.ts';
import { serverKeyOf } from './server-keys.ts';

const pressed = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
const row = (more = {}, enabled = true): ServerRow =>
  ({ definition: { enabled, options: {}, transport: { type: 'streamable-http', url: 'https://mcp.example' } }, connection: { phase: 'needs', what: 'sign-in', message: '' }, signIn: { way: 'browser' }, ...more }) as never; // all that is read of it

describe('keys on a server of a list', () => {
  it('sign in and connect anew', () => {
    expect(serverKeyOf(pressed('a', { ctrlKey: true }), row(), false)).toBe('sign-in');
    expect(serverKeyOf(pressed('r', { ctrlKey: true }), row(), false)).toBe('reconnect');
    expect(serverKeyOf(pressed('Enter'), row(), true)).toBe('sign-in');
  });

  it('leave alone what they do not mean: other keys, its buttons, servers that are off or sign nobody in', () => {
    expect(serverKeyOf(pressed('a'), row(), true)).toBeUndefined();
    expect(serverKeyOf(pressed('r', { ctrlKey: true, shiftKey: true }), row(), true)).toBeUndefined();
    expect(serverKeyOf(pressed('Enter'), row(), false)).toBeUndefined();
    expect(serverKeyOf(pressed('Enter'), row({ connection: { phase: 'stopped', why: 'asleep' } }), true)).toBeUndefined();
    expect(serverKeyOf(pressed('r', { ctrlKey: true }), row({}, false), true)).toBeUndefined();
    expect(serverKeyOf(pressed('a', { ctrlKey: true }), row({ definition: { enabled: true, options: {}, transport: { type: 'stdio' } }, signIn: undefined }), true)).toBeUndefined();
  });
});
