import { describe, expect, it } from 'vitest';
import { errorKinds, type ErrorCode } from '../../shared/errors.ts';
import { describeError } from './errors.ts';

const codes = Object.keys(errorKinds) as ErrorCode[]; // the keys of a const object

describe('words for errors', () => {
  it.each(codes)('says of %s what happened and what it means, in sentences without code words', (code) => {
    const { what, means } = describeError(code, { server: 'Files', tool: 'read_file', model: 'sonnet' });
    for (const sentence of [what, means]) {
      expect(sentence).toMatch(/^\S.*[.!?]$/);
      expect(sentence).not.toMatch(/undefined|[A-Z]{3,}_|E[A-Z]{4,}|\w+\/\w+/);
    }
  });

  it('names the server that it is about', () => {
    expect(describeError('connection/unreachable', { server: 'Files' }).what).toBe('Files cannot be reached.');
  });

  it.each(codes.filter((code) => errorKinds[code] === 'retry'))('offers to try again after %s', (code) => {
    expect(describeError(code).remedy).toMatchObject({ do: 'retry' });
  });

  it('never offers to repeat a call whose outcome is unknown', () => {
    expect(describeError('tool/outcome-unknown').remedy).toEqual({ do: 'nothing' });
  });
});
