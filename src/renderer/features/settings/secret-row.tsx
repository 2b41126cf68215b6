import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import type { SecretEntry, SecretPolicy } from '../../../shared/model/secret-entry.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { policies, SecretUses } from './secret-dialogs.tsx';
import { asUsual, historyText, usedByText } from './secret-words.ts';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
export type SecretAsk = 'value' | 'rename' | 'delete';

/** One secret: its name, who uses it, who may read it. Never its value. */
export function SecretRow({
  entry,
  fallback,
  onAsk,
}: {
  readonly entry: SecretEntry;
  readonly fallback: SecretPolicy;
  readonly onAsk: (what: SecretAsk) => void;
}) {
  const now = useNow();
  const { state, run } = useRequest();
  const { key, scope, missing, usedBy } = entry;
  const setPolicy = (policy: SecretPolicy | 'default') =>
    run(() => api.secrets.setPolicy({ scope, key, policy: policy === 'default' ? null : policy }));
  const details = `${usedByText(usedBy)}, ${historyText(entry, now)}`;
  return (
    <div className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex min-w-0 items-center gap-2">
            <span className="min-w-0 truncate font-code text-code font-semibold text-ink select-text" title={key}>
              <VisibleText text={key} />
            </span>
            {scope === 'project' ? <Badge>Project</Badge> : null}
            {missing ? <Badge tone="ask">No value</Badge> : null}
          </p>
          {usedBy.length === 0 ? (
            <p className="text-detail text-ink-3">{details}</p>
          ) : (
            <details className="text-detail text-ink-3">
              <summary className="w-fit max-w-full truncate rounded-control hover:text-ink" title={details}>
                <VisibleText text={details} />
              </summary>
              <div className="mt-1.5 mb-1">
                <SecretUses entry={entry} />
              </div>
            </details>
          )}
        </div>
        <div className="flex shrink-0 items-center gap-1.5">
          <Select
            size="s"
            name={`Who may read ${key}`}
            value={entry.policy ?? 'default'}
            disabled={state.phase === 'sending'}
            onChange={setPolicy}
            className="w-44"
            options={[{ value: 'default', label: asUsual(fallback) }, ...policies]}
          />
          <Button size="s" className="w-26" aria-label={`${missing ? 'Enter it' : 'New value'}: ${key}`} onClick={() => onAsk('value')}>
            {missing ? 'Enter it…' : 'New value…'}
          </Button>
          <Menu
            trigger={<IconButton size="s" name={`More for ${key}`} icon={<Ellipsis size={16} strokeWidth={1.75} />} />}
            entries={[
              { label: 'Rename…', icon: <Pencil {...icon} />, disabled: missing, onSelect: () => onAsk('rename') },
              'line',
              {
                label: 'Delete…',
                icon: <Trash2 {...icon} />,
                danger: true,
                disabled: missing && entry.updatedAt === 0,
                onSelect: () => onAsk('delete'),
              },
            ]}
          />
        </div>
      </div>
      {state.phase === 'failed' ? (
        <div className="mt-2">
          <FailureNote error={state.error} compact />
        </div>
      ) : null}
    </div>
  );
}
