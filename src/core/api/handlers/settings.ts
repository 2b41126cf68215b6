import type { settings } from '../../../shared/ipc/contract/settings.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { refuseHttp } from '../refuse-http.ts';
import type { Parts } from '../parts.ts';

export const settingsHandlers = ({ settings: store, servers, vault, contents, info }: Parts): Handlers<typeof settings> => ({
  'settings.update': async (patch, context) => {
    // How much is asked is a person's to say.
    if (patch.approvals !== undefined || patch.approveTools !== undefined || patch.secretPolicy !== undefined) refuseHttp(context);
    await store.update(patch, context.signal);
  },
  // Answered when its files were read: whether they need trust is known by then.
  'settings.open-project': async ({ folder }, { signal }) => {
    await store.setProject(folder, signal);
    await servers.load(signal);
  },
  'settings.close-project': async (_input, { signal }) => {
    await store.setProject(undefined, signal);
    await servers.load(signal);
  },
  'vault.open': (_input, { signal }) => vault.open(signal),
  'vault.use-memory-only': async () => vault.useMemoryOnly(),
  'contents.read': async ({ id, offset, limit }, { signal }) => {
    const { bytes, total } = await contents.read(id, offset, limit, signal);
    return { base64: toBase64(bytes), bytes: total };
  },
  'app.info': async () => info(),
});

/** In pieces: a call with millions of arguments overflows the stack. */
function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(binary);
}
