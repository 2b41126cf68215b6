import { AppError } from '../../../shared/errors.ts';
import type { secrets } from '../../../shared/ipc/contract/secrets.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { ConfigScope, SecretKey } from '../../../shared/model/config-value.ts';
import { Secret } from '../../kernel/secret.ts';
import { foundLiterals, movableLiteral } from '../../servers/secret-uses.ts';
import type { Parts } from '../parts.ts';
import { refuseHttp } from '../refuse-http.ts';

/** No value goes back through any of these. */
export const secretHandlers = ({ book, secretDesk, servers, pool }: Parts): Handlers<typeof secrets> => {
  /** What is up with the old value starts with the new one when it is used next. */
  const restartUsers = async (scope: ConfigScope, key: SecretKey, signal: AbortSignal): Promise<void> => {
    const { usedBy } = await book.find(scope, key, signal);
    const users = [...new Set(usedBy.flatMap(({ serverId }) => (serverId === undefined ? [] : [serverId])))];
    await Promise.all(users.filter((id) => pool.state(id).phase !== 'stopped').map((id) => pool.stop(id, 'asleep', signal)));
  };
  return {
    'secrets.list': (_input, { signal }) => book.list(signal),
    'secrets.put': async ({ scope, key, value, policy }, context) => {
      if (policy !== undefined) refuseHttp(context);
      await book.put(scope, key, new Secret(value), policy === undefined ? {} : { policy }, context.signal);
      await restartUsers(scope, key, context.signal);
    },
    'secrets.rename': ({ scope, key, to }, { signal }) => book.rename(scope, key, to, signal),
    'secrets.remove': ({ scope, key, force }, { signal }) => book.remove(scope, key, force, signal),
    'secrets.set-policy': async ({ scope, key, policy }, context) => {
      refuseHttp(context);
      await book.setPolicy(scope, key, policy ?? undefined, context.signal);
    },
    'secrets.literals': async () => foundLiterals(servers.current.read),
    'secrets.move-to-vault': async ({ source, server, field, as }, { signal }) => {
      const literal = movableLiteral(servers.current.read, { source, server, field });
      if (!literal) throw new AppError('request/invalid', `There is no text to move at ${field} of “${server}”`, { data: { source, server, field } });
      const { scope } = literal;
      const secret = book.idOf(scope, as);
      if ((await book.stored(signal)).has(secret)) throw new AppError('secret/exists', `There is a secret ${as} already`, { data: { key: as, scope } });
      await book.put(scope, as, new Secret(literal.value), {}, signal);
      // Who held the value in the open may go on reading it; everybody else asks.
      const allow = async (): Promise<void> => {
        const user = servers.all().find(({ name }) => name === server);
        const digest = user && servers.launchOf(user.id)?.digest;
        if (user) await book.allow({ secret, serverId: user.id, server, revision: user.revision, ...(digest === undefined ? {} : { digest }) }, signal);
      };
      await allow();
      await servers.rewrite(scope, (text) => literal.replaced(text, as), signal);
      await allow();
    },
    'secrets.answer': async ({ questionId, answer }, context) => {
      refuseHttp(context);
      await secretDesk.answer(questionId, answer, context.signal);
    },
    'secrets.reset-vault': async (_input, context) => {
      refuseHttp(context);
      await book.reset(context.signal);
    },
  };
};
