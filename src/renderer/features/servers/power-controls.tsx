import { Play, RotateCw, Square } from 'lucide-react';
import { useId } from 'react';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { ServerAction } from './server-advice.ts';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Whether it may be used at all. */
export function OnOff({
  row: { definition },
  onError,
}: {
  readonly row: ServerRow;
  readonly onError: (error: RequestError | undefined) => void;
}) {
  const id = useId();
  const { state, run } = useRequest();
  return (
    <div className="mr-2 flex items-center gap-2 [-webkit-app-region:no-drag]">
      <label htmlFor={id} className="text-list text-ink-2">
        {definition.enabled ? 'On' : 'Off'}
        <span className="sr-only">: {definition.name}</span>
      </label>
      <Switch
        id={id}
        checked={definition.enabled}
        disabled={state.phase === 'sending'}
        onChange={(enabled) =>
          run(async () => {
            onError(undefined);
            await api.servers
              .setEnabled({ serverId: definition.id, enabled })
              .catch((thrown: unknown) => onError(RequestError.from(thrown)));
          })
        }
      />
    </div>
  );
}

/** Start, Stop and Restart, as far as they mean something now. */
export function PowerButtons({
  row,
  paused,
  pending,
  onPress,
}: {
  readonly row: ServerRow;
  readonly paused: boolean;
  readonly pending: ReadonlySet<ServerAction>;
  readonly onPress: (action: ServerAction) => void;
}) {
  const { connection, definition } = row;
  const { state, run } = useRequest();
  if (!definition.enabled || paused) return null;
  const up = connection.phase === 'ready' || connection.phase === 'starting' || connection.phase === 'reconnecting';
  const restarting = state.phase === 'sending';
  const start = (
    <Button icon={<Play {...icon} />} busy={pending.has('start')} onClick={() => onPress('start')}>
      Start
    </Button>
  );
  const stop = (
    <Button icon={<Square {...icon} />} busy={pending.has('stop')} onClick={() => onPress('stop')}>
      Stop
    </Button>
  );
  // What failed or waits has its own button, beside the reason.
  if (!up) return connection.phase === 'stopped' ? start : null;
  return (
    <>
      {connection.phase === 'ready' || restarting ? (
        <Button
          look="plain"
          icon={<RotateCw {...icon} />}
          busy={restarting}
          onClick={() => run(() => api.servers.restart({ serverId: definition.id }))}
          className="compact:hidden"
        >
          Restart
        </Button>
      ) : null}
      {stop}
    </>
  );
}
