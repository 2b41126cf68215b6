import { useEffect } from 'react';
import type { CommandAction } from '../../shared/ipc/channels.ts';
import type { ApprovalId, ServerId } from '../../shared/ids.ts';
import { onCommand } from '../bridge/live.ts';
import { go } from '../bridge/place.ts';
import { togglePalette } from './palette-host.tsx';

const keys: Readonly<Record<string, () => void>> = {
  k: togglePalette,
  n: () => go({ page: 'chat' }),
  ',': () => go({ page: 'settings' }),
};

function obey({ command, id }: CommandAction): void {
  switch (command) {
    case 'palette':
      return togglePalette();
    case 'new-chat':
      return go({ page: 'chat' });
    case 'settings':
      return go({ page: 'settings' });
    case 'servers':
      return go({ page: 'servers', ...(id === undefined ? {} : { serverId: id as ServerId }) }); // only compared with known ids
    case 'set-up':
      return go({ page: 'set-up' });
    case 'approvals':
      return go({ page: 'approvals', ...(id === undefined ? {} : { approvalId: id as ApprovalId }) }); // only compared with known ids
  }
}

/** The window's own keys, and what main's menus ask for. A key handled here does not reach the menu as well. */
export function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      const key = event.key.toLowerCase();
      const act = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    const forget = onCommand(obey);
    return () => {
      window.removeEventListener('keydown', press);
      forget();
    };
  }, []);
}
