import { Ellipsis, FileText, Pencil, Power, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { go } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { ownedSource } from '../../bridge/server-form-view.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What else can be done to a server. */
export function ServerMenu({
  row,
  onError,
  onPage = false,
}: {
  readonly row: ServerRow;
  readonly onError: (error: RequestError | undefined) => void;
  /** On the server's own page. */ readonly onPage?: boolean;
}) {
  const { definition, connection } = row;
  const serverId = definition.id;
  const [removing, setRemoving] = useState(false);
  const attempt = (work: Promise<unknown>) => {
    onError(undefined);
    work.catch((thrown: unknown) => onError(RequestError.from(thrown)));
  };
  const own = definition.owner !== 'built-in';
  const written = ownedSource(definition.owner === 'project' ? 'project' : 'global');
  const removable = own && row.provenance.chain.some(({ source }) => source === written);
  return (
    <>
      <Menu
        trigger={
          <IconButton name={`More for ${definition.name}`} icon={<Ellipsis size={16} strokeWidth={1.75} />} size={onPage ? 'm' : 's'} />
        }
        entries={[
          ...(onPage ? [] : [{ label: 'Open', icon: <FileText {...icon} />, onSelect: () => go({ page: 'servers', serverId }) }]),
          {
            label: 'Restart',
            icon: <RotateCw {...icon} />,
            disabled: !definition.enabled || connection.phase === 'stopped',
            onSelect: () => attempt(api.servers.restart({ serverId })),
          },
          ...(own ? [{ label: 'Edit…', icon: <Pencil {...icon} />, onSelect: () => go({ page: 'servers', serverId, edit: true }) }] : []),
          {
            label: definition.enabled ? 'Switch off' : 'Switch on',
            icon: <Power {...icon} />,
            onSelect: () => attempt(api.servers.setEnabled({ serverId, enabled: !definition.enabled })),
          },
          ...(removable
            ? (['line', { label: 'Remove…', icon: <Trash2 {...icon} />, danger: true, onSelect: () => setRemoving(true) }] as const)
            : []),
        ]}
      />
      {removing ? <RemoveServerDialog row={row} onClose={() => setRemoving(false)} /> : null}
    </>
  );
}

export function RemoveServerDialog({ row, onClose }: { readonly row: ServerRow; readonly onClose: () => void }) {
  const { definition } = row;
  const { state, run } = useRequest();
  const values =
    definition.transport.type === 'stdio'
      ? definition.transport.env
      : definition.transport.type === 'socket'
        ? {}
        : definition.transport.headers;
  const secrets = Object.entries(values)
    .filter(([, value]) => 'secretRef' in value)
    .map(([name]) => name);
  const remove = () =>
    run(async () => {
      await api.servers.remove({ serverId: definition.id });
      onClose();
      go({ page: 'servers' }, 'replace');
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove “${definition.name}”?`}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            Keep
          </Button>
          <Button look="danger" onClick={remove} busy={state.phase === 'sending'}>
            Remove server
          </Button>
        </>
      }
    >
      <ul className="list-disc space-y-1 pl-5 text-list text-ink-2 marker:text-ink-3">
        <li>It is stopped and its entry is deleted from {definition.owner === 'project' ? 'the project’s .gatehouse/mcp.json' : 'mcp.json'}.</li>
        {row.provenance.chain.length > 1 ? <li>What other files say of it stays, and holds then.</li> : null}
        {secrets.length > 0 ? (
          <li>
            Its {secrets.length === 1 ? 'secret stays' : 'secrets stay'} in the vault, where you can delete {secrets.length === 1 ? 'it' : 'them'}:{' '}
            <span className="font-code text-code text-ink">{secrets.join(', ')}</span>.
          </li>
        ) : null}
        {row.signIn?.login ? <li>Its login is deleted here. To have its provider take the tokens back, sign out first.</li> : null}
        <li>The program or service itself, and what your chats say of it, stay.</li>
      </ul>
      {state.phase === 'failed' ? (
        <div className="mt-3">
          <FailureNote error={state.error} compact context={{ server: definition.name }} />
        </div>
      ) : null}
    </Dialog>
  );
}
