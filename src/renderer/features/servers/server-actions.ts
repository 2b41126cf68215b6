import type { ServerId } from '../../../shared/ids.ts';
import { api } from '../../bridge/api.ts';
import { go } from '../../bridge/place.ts';
import { openProject } from '../../bridge/project.ts';
import { askTrust } from '../../bridge/trust-ask.ts';
import { beginSignIn } from '../../bridge/use-sign-in.ts';
import type { ServerAction } from './server-advice.ts';

/** Does the one thing. Settles when it is done: a start when the server is there or has failed, which its state then says. */
export async function act(action: ServerAction, serverId: ServerId): Promise<void> {
  switch (action) {
    case 'start':
    case 'try-again':
    case 'start-again':
      return await api.servers.start({ serverId });
    case 'stop':
      return await api.servers.stop({ serverId });
    case 'switch-on':
      return await api.servers.setEnabled({ serverId, enabled: true });
    case 'open-folder':
      if (await openProject()) await api.servers.start({ serverId });
      return;
    case 'edit':
      return go({ page: 'servers', serverId, edit: true });
    case 'answer':
      return go({ page: 'approvals' });
    case 'trust':
      return askTrust();
    case 'sign-in':
      await beginSignIn(serverId);
      return;
    case 'see-sign-in':
      return go({ page: 'servers', serverId });
    case 'vault':
      return go({ page: 'settings', section: 'vault' });
  }
}
