import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ModelProvider } from '../../../shared/model/settings.ts';
import { api, isCancelled, RequestError } from '../../bridge/api.ts';
import { describeError } from '../../bridge/errors.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { kindNames } from './provider-draft.ts';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
type Test =
  | { readonly phase: 'untested' }
  | { readonly phase: 'testing' }
  | { readonly phase: 'works'; readonly models: number }
  | { readonly phase: 'failed'; readonly error: RequestError };

/** One provider: where it is, whether its key is kept, and whether it answers. Without `onEdit` it was found on this computer. */
export function ProviderRow({
  provider,
  testAtOnce,
  isDefault,
  onEdit,
}: {
  readonly provider: ModelProvider;
  /** It was just saved: whether it answers is what one wants to know. */ readonly testAtOnce: boolean;
  readonly isDefault: boolean;
  readonly onEdit?: () => void;
}) {
  const [test, setTest] = useState<Test>({ phase: testAtOnce ? 'testing' : 'untested' });
  const [removing, setRemoving] = useState(false);
  const abort = useRef<AbortController>(undefined);
  const { id: providerId } = provider;
  const ask = useCallback(() => {
    abort.current?.abort();
    const now = (abort.current = new AbortController());
    api.models.list({ providerId }, now.signal).then(
      (models) => (now.signal.aborted ? undefined : setTest({ phase: 'works', models: models.length })),
      (thrown: unknown) =>
        now.signal.aborted || isCancelled(thrown) ? undefined : setTest({ phase: 'failed', error: RequestError.from(thrown) }),
    );
  }, [providerId]);
  useEffect(() => {
    if (testAtOnce) ask();
    return () => abort.current?.abort();
  }, [testAtOnce, ask]);
  const run = () => {
    setTest({ phase: 'testing' });
    ask();
  };
  return (
    <li className="flex flex-col gap-2 px-4 py-2.5">
      <div className="flex min-w-0 items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-center gap-2 text-list">
            <span className="truncate font-[550] text-ink">
              <VisibleText text={provider.name} />
            </span>
            {provider.name === kindNames[provider.kind] ? null : (
              <Badge>{provider.detected ? 'Ready to use' : kindNames[provider.kind]}</Badge>
            )}
            {isDefault ? <Badge tone="accent">New chats</Badge> : null}
          </p>
          <p className="truncate text-detail text-ink-3">
            {[
              provider.baseUrl ?? 'its own address',
              keyWords(provider),
              provider.models.length > 0
                ? provider.detected
                  ? countText(provider.models.length, 'model')
                  : `${countText(provider.models.length, 'model')} by hand`
                : undefined,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <p role="status" className="shrink-0 text-list text-ink-2">
          {test.phase === 'works' ? (
            <StateDot state="working" word={test.models === 0 ? 'Answers, lists no models' : `Works, ${countText(test.models, 'model')}`} />
          ) : null}
        </p>
        <Button size="s" busy={test.phase === 'testing'} aria-label={`Test ${provider.name}`} onClick={run}>
          Test
        </Button>
        {onEdit ? (
          <Menu
            trigger={<IconButton size="s" name={`More for ${provider.name}`} icon={<Ellipsis size={16} strokeWidth={1.75} />} />}
            entries={[
              { label: 'Edit…', icon: <Pencil {...icon} />, onSelect: onEdit },
              'line',
              { label: 'Remove…', icon: <Trash2 {...icon} />, danger: true, onSelect: () => setRemoving(true) },
            ]}
          />
        ) : null}
      </div>
      {test.phase === 'failed' ? <TestFailure error={test.error} name={provider.name} onEdit={onEdit} onRetry={run} /> : null}
      {removing ? <RemoveProviderDialog provider={provider} isDefault={isDefault} onClose={() => setRemoving(false)} /> : null}
    </li>
  );
}

/** A refused key is entered again right here. */
function TestFailure({
  error,
  name,
  onEdit,
  onRetry,
}: {
  readonly error: RequestError;
  readonly name: string;
  readonly onEdit: (() => void) | undefined;
  readonly onRetry: () => void;
}) {
  if (error.code !== 'model/key-refused' || !onEdit)
    return <FailureNote error={error} compact context={{ model: name }} onRetry={onRetry} />;
  const { what, means } = describeError(error.code, { model: name });
  return <ErrorNote compact what={what} means={means} detail={error.message} action={{ label: 'Enter it again…', onPress: onEdit }} />;
}

const keyWords = (provider: ModelProvider): string =>
  provider.keyRef !== undefined ? 'key in the vault' : provider.detected ? 'no key needed' : 'no key';

function RemoveProviderDialog({
  provider,
  isDefault,
  onClose,
}: {
  readonly provider: ModelProvider;
  readonly isDefault: boolean;
  readonly onClose: () => void;
}) {
  const { state, run } = useRequest();
  const remove = () =>
    run(async () => {
      await api.models.removeProvider({ providerId: provider.id });
      onClose();
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${provider.name}?`}
      description={[
        provider.keyRef === undefined ? 'Its entry is deleted.' : 'Its entry and its key in the vault are deleted.',
        ...(isDefault ? ['New chats then start in Direct mode.'] : []),
        'Chats stay, and need another model to go on.',
      ].join(' ')}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            Keep
          </Button>
          <Button look="danger" busy={state.phase === 'sending'} onClick={remove}>
            Remove provider
          </Button>
        </>
      }
    >
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </Dialog>
  );
}
