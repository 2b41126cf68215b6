import { AppError } from '../../../shared/errors.ts';
import type { ServerId } from '../../../shared/ids.ts';
import type { inspector } from '../../../shared/ipc/contract/inspector.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { messagesFile } from '../../inspector/messages-file.ts';
import type { Parts } from '../parts.ts';

export const inspectorHandlers = ({ inspector: kept, servers, now }: Parts): Handlers<typeof inspector> => {
  const known = (serverId: ServerId) => {
    const server = servers.get(serverId);
    if (!server) throw new AppError('server/not-found', 'There is no such server');
    return { name: server.name, log: kept.log(serverId) };
  };
  return {
    'inspector.message': async ({ serverId, seq }) => known(serverId).log.payload(seq),
    'inspector.clear': async ({ serverId }) => known(serverId).log.clear(),
    'inspector.export': async ({ serverId, seqs }) => {
      const { name, log } = known(serverId);
      return messagesFile(name, log, seqs, now());
    },
  };
};
