import { Lock } from 'lucide-react';
import type { ConfigValue } from '../../../shared/model/config-value.ts';
import type { ServerDefinition } from '../../../shared/model/server-definition.ts';
import type { ApproveTools } from '../../../shared/model/server-options.ts';
import { defaultLimits, rulesOf, type ServerRules } from '../../../shared/model/server-rules.ts';
import type { ConnectionState, LaunchedPackage } from '../../../shared/model/connection-state.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { useApp } from '../../bridge/live.ts';
import { targetText } from '../../bridge/target-text.ts';
import { bytesText, clockText, durationText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { Code, Fact, Group } from '../../bridge/fact-list.tsx';
import { ownerWord } from './server-origin.tsx';

const transportNames = { stdio: 'Command on this computer', 'streamable-http': 'Streamable HTTP', sse: 'SSE', socket: 'Socket' } as const;

/** What is launched or contacted, word for word, and what answered. Values that are secrets are named, never shown. */
export function ServerFacts({ row: { definition, connection, provenance } }: { readonly row: ServerRow }) {
  const idleTimeout = useApp((state) => state.settings.idleTimeout) ?? 10;
  const requestTimeoutMs = useApp((state) => state.settings.requestTimeoutMs) ?? 0;
  const rules = rulesOf(definition, provenance, { idleTimeout, requestTimeoutMs });
  const builtIn = definition.owner === 'built-in';
  return (
    <div className="flex flex-col gap-6">
      <Group name="How it is reached">
        <Fact name="Transport">{builtIn ? 'Comes with Gatehouse and is run by it' : transportNames[definition.transport.type]}</Fact>
        {builtIn ? null : <LaunchFacts definition={definition} />}
        <Fact name="Defined in">
          {builtIn ? (
            'Gatehouse itself'
          ) : (
            <>
              {ownerWord({ definition })} files <span className="text-ink-3">(see “Where it comes from”)</span>
            </>
          )}
        </Fact>
      </Group>
      <Group name="What answers">
        {connection.phase === 'ready' ? (
          <>
            <Fact name="Server">
              <VisibleText text={`${connection.server.title ?? connection.server.name} ${connection.server.version}`} />
              {connection.server.title ? (
                <span className="text-ink-3">
                  {' '}
                  (<VisibleText text={connection.server.name} />)
                </span>
              ) : null}
            </Fact>
            <Fact name="Protocol">
              {connection.protocolVersion}{' '}
              <span className="text-ink-3">({connection.era === 'modern' ? 'modern' : 'classic handshake'})</span>
            </Fact>
            {connection.pid === undefined ? null : <Fact name="Process">{connection.pid}</Fact>}
            {connection.package === undefined ? null : <PackageFact launched={connection.package} />}
            <Fact name="Connected since">{new Date(connection.since).toLocaleString()}</Fact>
          </>
        ) : (
          <Fact name="Server">
            <span className="text-ink-3">Not connected.</span>
          </Fact>
        )}
      </Group>
      <Group name="When it runs">
        <Fact name="Starts">{starts[rules.lifecycle]}</Fact>
        <Fact name="Stops">
          <Stops rules={rules} connection={connection} />
        </Fact>
      </Group>
      <Group name="Limits">
        <Fact name="To connect">
          <Limit ms={rules.handshakeMs} usual={defaultLimits.handshakeMs} />
        </Fact>
        <Fact name="Silence in a call">
          <Limit ms={rules.requestMs} usual={defaultLimits.callIdleMs} />
        </Fact>
        <Fact name="A call in all">
          <Limit ms={rules.callTotalMs} usual={defaultLimits.callTotalMs} />
        </Fact>
        <Fact name="Protocol mode">
          {definition.options.protocolVersion === undefined ? (
            <>usual</>
          ) : definition.options.protocolVersion === 'auto' ? (
            'newest that both know'
          ) : (
            'classic handshake only'
          )}
        </Fact>
        {definition.options.approveTools === undefined ? null : <Fact name="Always ask">{alwaysAsk(definition.options.approveTools)}</Fact>}
      </Group>
    </div>
  );
}

const alwaysAsk = (rule: ApproveTools): string =>
  rule === true ? 'for every tool of this server' : rule === false ? 'for none because of its name' : rule.join(', ');

function LaunchFacts({ definition: { transport } }: { readonly definition: ServerDefinition }) {
  switch (transport.type) {
    case 'stdio':
      return (
        <>
          <Fact name="Command">
            <Code text={transport.command} copy={targetText(transport)} copyName="Copy the whole command line" />
          </Fact>
          {transport.args.length > 0 ? (
            <Fact name="Arguments">
              <ol className="flex flex-col gap-0.5">
                {transport.args.map((argument, index) => (
                  <li key={index}>
                    <Code text={argument === '' ? '(empty)' : argument} />
                  </li>
                ))}
              </ol>
            </Fact>
          ) : null}
          {transport.cwd === undefined ? null : (
            <Fact name="Working folder">
              <Code text={transport.cwd} />
            </Fact>
          )}
          <Values name="Environment" values={transport.env} />
        </>
      );
    case 'streamable-http':
    case 'sse':
      return (
        <>
          <Fact name="Address">
            <Code text={transport.url} copy={transport.url} copyName="Copy address" />
          </Fact>
          <Values name="Headers" values={transport.headers} />
        </>
      );
    case 'socket':
      return (
        <Fact name="Socket">
          <Code text={transport.path} copy={transport.path} copyName="Copy path" />
        </Fact>
      );
  }
}

const Values = ({ name, values }: { readonly name: string; readonly values: Readonly<Record<string, ConfigValue>> }) => {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <Fact name={name}>
      <ul className="flex flex-col gap-0.5">
        {entries.map(([key, value]) => (
          <li key={key} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <Code text={key} />
            {'plain' in value || 'template' in value ? (
              <span className="min-w-0 font-code text-code break-all text-ink-2">
                <VisibleText text={'plain' in value ? value.plain : value.template} />
              </span>
            ) : (
              <span className="inline-flex items-center gap-1 text-detail text-ink-3">
                <Lock size={11} strokeWidth={1.75} aria-hidden />
                {'literal' in value ? 'in the file, hidden' : 'in the vault'}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Fact>
  );
};

const starts = {
  lazy: 'When it is used',
  eager: 'With Gatehouse',
  'keep-alive': 'With Gatehouse, and again whenever it ends',
  'lazy-keep-alive': 'When it is first used, and from then on again whenever it ends',
} as const;

/** Its time without use, and the moment itself while that is running. */
function Stops({ rules, connection }: { readonly rules: ServerRules; readonly connection: ConnectionState }) {
  if (rules.idleMs === 0) return <>Not for want of use</>;
  const stopsAt = connection.phase === 'ready' ? connection.stopsAt : undefined;
  return (
    <>
      After {roundText(rules.idleMs)} without use
      {stopsAt === undefined ? null : <span className="text-ink-3"> (at {clockText(stopsAt)}, if nobody uses it)</span>}
    </>
  );
}

/** What is claimed was measured on this machine; where it was not, nothing is. */
const PackageFact = ({ launched: { name, version, savedBytes } }: { readonly launched: LaunchedPackage }) => (
  <Fact name="Package">
    <VisibleText text={`${name} ${version}`} />
    <span className="text-ink-3"> (run directly, without npx{savedBytes === undefined ? '' : `: about ${bytesText(savedBytes)} of memory less`})</span>
  </Fact>
);

const roundText = (ms: number): string => durationText(ms).replace('.0 s', ' s').replace(' min 0 s', ' min').replace(' h 0 min', ' h');
const Limit = ({ ms, usual }: { readonly ms: number; readonly usual: number }) => (
  <>
    {roundText(ms)}
    {ms === usual ? <span className="text-ink-3"> (usual)</span> : null}
  </>
);
