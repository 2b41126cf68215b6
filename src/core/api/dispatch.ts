import { AppError } from '../../shared/errors.ts';
import type { Handlers, Reply, RequestContext, Requests } from '../../shared/ipc/define.ts';

export type Dispatch = (route: string, input: unknown, context: RequestContext) => Promise<Reply<unknown>>;

/** Route, parse, call, wrap. Never rejects: a code would be lost on the way. Routes are own keys: `constructor` is none. */
export function createDispatch<R extends Requests>(contract: R, handlers: Handlers<R>, onBug: (error: unknown, route: string) => void): Dispatch {
  return async (route, input, context) => {
    try {
      const definition = Object.hasOwn(contract, route) ? contract[route] : undefined;
      const handler = Object.hasOwn(handlers, route) ? handlers[route] : undefined;
      if (!definition || !handler) throw new AppError('request/unknown-route', `There is no route ${route.slice(0, 100)}`);
      const parsed = definition.input.safeParse(input);
      if (!parsed.success) throw new AppError('request/invalid', `The input of ${route} is not valid`, { data: parsed.error.issues.map(({ path, message }) => ({ path, message })) });
      context.signal.throwIfAborted();
      return { ok: true, value: await handler(parsed.data as never, context) }; // Handlers<R> pairs each route with its own input
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.kind === 'bug') onBug(thrown, route);
      return { ok: false, error: error.toData() };
    }
  };
}
