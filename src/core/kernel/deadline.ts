/** A signal that aborts with the parent, or with a `TimeoutError` after `ms`. Dispose it when the work is done, so that no timer is left. */
export function deadline(ms: number, parent: AbortSignal): { readonly signal: AbortSignal; readonly expired: () => boolean } & Disposable {
  const controller = new AbortController();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    controller.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError'));
  }, ms);
  const forward = () => controller.abort(parent.reason);
  if (parent.aborted) forward();
  else parent.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    [Symbol.dispose]() {
      clearTimeout(timer);
      parent.removeEventListener('abort', forward);
    },
  };
}
