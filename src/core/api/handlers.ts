import type { Contract } from '../../shared/ipc/contract.ts';
import type { Handlers } from '../../shared/ipc/define.ts';
import { approvalHandlers } from './handlers/approvals.ts';
import { authHandlers } from './handlers/auth.ts';
import { catalogHandlers } from './handlers/catalog.ts';
import { chatHandlers } from './handlers/chats.ts';
import { configHandlers } from './handlers/config.ts';
import { dialogueHandlers } from './handlers/dialogue.ts';
import { exchangeHandlers } from './handlers/exchange.ts';
import { homeHandlers } from './handlers/home.ts';
import { inspectorHandlers } from './handlers/inspector.ts';
import { modelHandlers } from './handlers/models.ts';
import { ownToolHandlers } from './handlers/own-tools.ts';
import { probeHandlers } from './handlers/probe.ts';
import { profileHandlers } from './handlers/profiles.ts';
import { projectHandlers } from './handlers/projects.ts';
import { promptHandlers } from './handlers/prompts.ts';
import { resourceHandlers } from './handlers/resources.ts';
import { secretHandlers } from './handlers/secrets.ts';
import { serverHandlers } from './handlers/servers.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { skillHandlers } from './handlers/skills.ts';
import type { Parts } from './parts.ts';

/** A route without a handler does not compile. */
export const createHandlers = (parts: Parts): Handlers<Contract> => ({
  ...serverHandlers(parts),
  ...catalogHandlers(parts),
  ...chatHandlers(parts),
  ...approvalHandlers(parts),
  ...modelHandlers(parts),
  ...settingsHandlers(parts),
  ...configHandlers(parts),
  ...projectHandlers(parts),
  ...secretHandlers(parts),
  ...exchangeHandlers(parts),
  ...profileHandlers(parts),
  ...probeHandlers(parts),
  ...inspectorHandlers(parts),
  ...homeHandlers(parts),
  ...ownToolHandlers(parts),
  ...resourceHandlers(parts),
  ...promptHandlers(parts),
  ...authHandlers(parts),
  ...dialogueHandlers(parts),
  ...skillHandlers(parts),
});
