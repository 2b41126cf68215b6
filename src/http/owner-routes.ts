import { contract, type Contract } from '../shared/ipc/contract.ts';
import { expose } from '../shared/ipc/expose.ts';

/**
 * What the owner door offers: all of it, since whoever comes in is the person whose home it is. Routes that want a person at a terminal
 * (trust, lasting permissions, "always" for a secret) are here because the command line asks there; it takes no flag for them.
 */
export const ownerRouteNames = [
  'servers.add', 'servers.update', 'servers.remove', 'servers.set-enabled', 'servers.start', 'servers.stop', 'servers.restart', 'servers.catalog', 'servers.pause-all',
  'config.sources', 'config.scope', 'config.preview', 'config.save', 'config.validate', 'servers.test', 'inspector.message', 'inspector.clear', 'inspector.export',
  'exchange.discover', 'exchange.preview-adopt', 'exchange.adopt', 'exchange.preview-import', 'exchange.import', 'exchange.export', 'exchange.set-import', 'exchange.preview-set-import',
  'exchange.set-discovery',
  'secrets.list', 'secrets.put', 'secrets.rename', 'secrets.remove', 'secrets.set-policy', 'secrets.literals', 'secrets.move-to-vault', 'secrets.answer', 'secrets.reset-vault',
  'projects.trust', 'projects.refuse', 'projects.distrust', 'projects.preview-file', 'projects.make-file', 'profiles.list', 'profiles.read', 'profiles.check', 'profiles.save', 'profiles.remove',
  'home.backup', 'home.restore',
  'catalog.page', 'catalog.search', 'catalog.lines', 'catalog.tool', 'resources.find', 'resources.read', 'resources.attach', 'prompts.commands', 'prompts.run', 'prompts.get', 'prompts.complete',
  'chats.create', 'chats.rename', 'chats.delete', 'chats.choose-model', 'chats.choose-profile', 'chats.send', 'chats.continue', 'chats.stop', 'chats.call-tool', 'chats.cancel-call', 'chats.set-tools', 'own-tools.list', 'own-tools.run', 'catalog.costs',
  'auth.start', 'auth.complete', 'auth.wait', 'auth.cancel', 'auth.set-client', 'auth.allow-host', 'auth.forbid-host', 'auth.sign-out', 'auth.history', 'auth.share',
  'skills.list', 'skills.read', 'approvals.answer', 'approvals.revoke', 'dialogue.answer',
  'models.save-provider', 'models.remove-provider', 'models.list', 'models.detect',
  'settings.update', 'settings.open-project', 'settings.close-project', 'vault.open', 'vault.use-memory-only', 'contents.read', 'app.info',
] as const satisfies readonly (keyof Contract)[];

export const ownerRoutes = expose(contract, ownerRouteNames);
