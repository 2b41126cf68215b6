import { AppError } from '../../../shared/errors.ts';
import type { skills } from '../../../shared/ipc/contract/skills.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';
import { readWhole } from './resources.ts';

export const skillHandlers = (parts: Parts): Handlers<typeof skills> => ({
  'skills.list': ({ serverId }, { signal }) => parts.skills.look(serverId, signal),
  'skills.read': async (wanted, context) => {
    const { serverId, uri } = wanted;
    await parts.remembered();
    await parts.skills.prepare(serverId, uri, context.signal);
    if (!parts.skills.subject(serverId, uri)) throw new AppError('tool/not-found', `The server has no skill with the file ${uri.slice(0, 500)}`);
    const { outcome, files } = await readWhole(parts, wanted, context);
    return { outcome, files, verified: outcome.kind === 'succeeded' && parts.skills.isBound(serverId, uri) };
  },
});
