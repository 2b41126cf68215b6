import type { home } from '../../../shared/ipc/contract/home.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { Secret } from '../../kernel/secret.ts';
import { refuseHttp } from '../refuse-http.ts';
import type { Parts } from '../parts.ts';

/** Both write where they are told to: a person's to ask for, at a window or a terminal. */
export const homeHandlers = ({ homeArchive, chats }: Parts): Handlers<typeof home> => ({
  'home.backup': async ({ path, passphrase }, context) => {
    refuseHttp(context);
    await chats.saved();
    return homeArchive.backup(path, secretOf(passphrase), context.signal);
  },
  'home.restore': async ({ path, passphrase }, context) => {
    refuseHttp(context);
    return homeArchive.stageRestore(path, secretOf(passphrase), context.signal);
  },
});

const secretOf = (passphrase: string | undefined): Secret | undefined => (passphrase === undefined ? undefined : new Secret(passphrase));
