import { AppError } from '../../shared/errors.ts';
import type { RequestContext } from '../../shared/ipc/define.ts';

/** What is a person's to say at a window or a terminal, and never to be loosened over HTTP. */
export function refuseHttp({ caller }: RequestContext): void {
  if ('kind' in caller && caller.kind === 'http-api') throw new AppError('request/forbidden', 'This is changed in the window or at a terminal');
}
