import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { loadSdk } from '../kernel/sdk.ts';
import { asAppError, failureOf, httpError, isPassing, masked, wasNeverSent } from './failure.ts';

await loadSdk();
const mask = (text: string): string => text.replaceAll('hunter2', '•••');
const system = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

describe('anything thrown becomes a failure with a code', () => {
  it.each<[string, unknown, object]>([
    [
      'an HTTP error',
      new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status: 503, text: 'down for\n maintenance' }),
      {
        code: 'server/http-error',
        httpStatus: 503,
        message: 'The server answered HTTP 503: down for maintenance',
        detail: 'down for\n maintenance',
      },
    ],
    [
      'a web page',
      new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status: 404, text: '<!DOCTYPE html><title>Not found</title>' }),
      { code: 'server/http-error', message: 'The server answered HTTP 404: a web page, not MCP' },
    ],
    [
      '401',
      new SdkHttpError(SdkErrorCode.ClientHttpAuthentication, 'x', { status: 401 }),
      { code: 'auth/sign-in-required', httpStatus: 401 },
    ],
    ['the SDK’s own word for it', new UnauthorizedError(), { code: 'auth/sign-in-required' }],
    ['a JSON-RPC error', new ProtocolError(-32603, 'Oops'), { code: 'server/protocol-error', message: 'Oops (code -32603)' }],
    ['no answer in time', new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'), { code: 'connection/timed-out' }],
    ['a closed connection', new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'), { code: 'connection/closed' }],
    [
      'a result of the wrong shape',
      new SdkError(SdkErrorCode.InvalidResult, 'Invalid result for initialize'),
      { code: 'server/protocol-error' },
    ],
    [
      'a page in place of MCP',
      new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'Unexpected content type: text/html'),
      { code: 'server/not-mcp' },
    ],
    [
      'a failed negotiation, by its cause',
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'x', {}, { cause: new TypeError('fetch failed', { cause: system('ECONNREFUSED') }) }),
      { code: 'connection/unreachable', message: 'fetch failed: connect ECONNREFUSED' },
    ],
    [
      'broken JSON',
      new SyntaxError('Unexpected end of JSON input'),
      { code: 'server/protocol-error', message: 'The server’s answer is not JSON-RPC' },
    ],
    ['a bug, without its text', new RangeError('secret path /home/x'), { code: 'internal/bug', message: 'Something went wrong' }],
  ])('%s', (_, thrown, failure) => {
    expect(failureOf(thrown, { mask })).toMatchObject(failure);
  });

  it('a process that ended explains a closed connection, and nothing else', () => {
    const ended = { exitCode: 3, stderr: 'one\ntwo\nthree\nfour hunter2\n' };
    const closed = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    expect(failureOf(asAppError(closed, ended), { mask })).toEqual({
      code: 'server/exited',
      exitCode: 3,
      message: 'The server exited with code 3: two / three / four •••',
      detail: 'one\ntwo\nthree\nfour •••\n',
    });
    expect(asAppError(closed, { signal: 'SIGKILL', stderr: '' }).message).toBe('The server was ended by SIGKILL');
    expect(asAppError(new ProtocolError(-32602, 'No'), ended).code).toBe('server/protocol-error');
    expect(asAppError(new SdkError(SdkErrorCode.RequestTimeout, 'x'), ended).code).toBe('connection/timed-out');
  });

  it('is cut to size after it is masked, so that no half of a secret is left', () => {
    const { message, detail } = failureOf(
      new AppError('server/exited', `${'x'.repeat(495)}hunter2`, { data: { stderr: `hunter2${'y'.repeat(8_189)}` } }),
      { mask },
    );
    expect(message).toBe(`${'x'.repeat(495)}•••`);
    expect(detail).toHaveLength(8_192);
    expect(detail?.startsWith('•••')).toBe(true);
  });

  it('names the folders that were searched for a command', () => {
    expect(
      failureOf(new AppError('launch/command-not-found', 'There is no x', { data: { searched: ['/bin', '/usr/bin'] } }), { mask }).detail,
    ).toBe('Searched in:\n/bin\n/usr/bin');
  });
});

it('only what may pass by itself is worth another try', () => {
  const passing = (error: AppError): boolean => isPassing(failureOf(error, { mask }));
  expect(
    [
      httpError(500, ''),
      httpError(503, ''),
      httpError(429, ''),
      new AppError('connection/unreachable', ''),
      new AppError('connection/timed-out', ''),
      new AppError('server/exited', ''),
    ].map(passing),
  ).toEqual(Array(6).fill(true));
  expect(
    [
      httpError(404, ''),
      httpError(400, ''),
      new AppError('launch/command-not-found', ''),
      new AppError('server/not-mcp', ''),
      new AppError('server/protocol-error', ''),
      new AppError('internal/bug', ''),
    ].map(passing),
  ).toEqual(Array(6).fill(false));
});

it('a request was surely not sent when no connection was made', () => {
  expect(
    wasNeverSent(new AppError('connection/unreachable', '', { cause: new TypeError('fetch failed', { cause: system('ECONNREFUSED') }) })),
  ).toBe(true);
  expect(wasNeverSent(new TypeError('fetch failed', { cause: system('ECONNRESET') }))).toBe(false);
  expect(wasNeverSent('text')).toBe(false);
});

it('what a caller gets holds no secret that the server quoted, neither in its words nor beside them', () => {
  const error = new AppError('tool/outcome-unknown', 'exited: hunter2', {
    data: { server: 'a', exitCode: 1, why: 'hunter2', stderr: 'hunter2', body: 'hunter2', rpcData: { deep: 'hunter2' } },
  });
  expect(masked(error, mask).toData()).toEqual({
    code: 'tool/outcome-unknown',
    message: 'exited: •••',
    data: { server: 'a', exitCode: 1, why: '•••' },
  });
});
