import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../shared/model/tool-call.ts';
import { emptyChatState, type ChatState } from '../../../shared/state/chat-state.ts';
import { waitingInOrder } from './transcript.tsx';

const approval = (id: string, callId: string) => ({ id, call: { id: callId } }) as unknown as Approval; // what is read of it

describe('questions', () => {
  it('ask in the order of their calls, not in the order in which they arrived', () => {
    const state = { ...emptyChatState, calls: { first: {}, second: {} } } as unknown as ChatState; // only the keys are read
    expect(waitingInOrder(state, [approval('b', 'second'), approval('a', 'first')])).toEqual(['a', 'b']);
  });
});
