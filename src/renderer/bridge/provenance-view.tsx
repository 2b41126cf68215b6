import type { FieldOrigin, Place, Provenance } from '../../shared/model/source.ts';
import { CopyButton } from '../ui/code-block.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { sourceName } from './entry-words.ts';
import type { SourcesById } from './sources.ts';
import { copyText } from './tool-detail.tsx';

/** `/home/me/.gatehouse/mcp.json:12`, or what a source without a file is called. */
export const placeText = (path: string, place: Place | undefined): string => (place === undefined ? path : `${path}:${place.line}`);

const fieldWords: Readonly<Record<string, string>> = {
  enabled: 'on or off', command: 'command', args: 'arguments', cwd: 'working folder', env: 'environment', envFile: 'variables from a file', url: 'address', type: 'transport',
  headers: 'headers', socket: 'socket', auth: 'sign-in', bearerToken: 'token', bearerTokenEnv: 'token variable', oauth: 'OAuth', autoAuth: 'signs in by itself', protocolVersion: 'protocol', limits: 'limits',
  requestTimeoutMs: 'silence in a request', lifecycle: 'when it runs', idleTimeout: 'sleeps after', required: 'required', approveTools: 'always ask',
  exposeResources: 'resources as tools', directTools: 'pinned tools', toolPrefix: 'names for models', includeTools: 'only these tools', excludeTools: 'not these tools',
  retryOnTransportFailure: 'second try', debug: 'debug', trace: 'trace',
};

/** Which files made a server what it is: the chain, lowest first, and each field with the file that decided it. */
export function ProvenanceView({ provenance, sources }: { readonly provenance: Provenance; readonly sources: SourcesById }) {
  const { chain, fields } = provenance;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <section>
        <h3 className="mb-1.5 text-detail font-[550] text-ink-3">{chain.length === 1 ? 'The file' : 'The files, each over the one before'}</h3>
        <ol className="divide-y divide-line rounded-card border border-line bg-card">
          {chain.map(({ source, place }, index) => {
            const view = sources.get(source);
            const where = view?.path === undefined ? undefined : placeText(view.path, place);
            return (
              <li key={`${source} ${index}`} className="flex min-w-0 items-center gap-3 px-3 py-2 text-list">
                <span className="w-3 shrink-0 text-right text-detail text-ink-3" aria-hidden>{chain.length === 1 ? '' : index + 1}</span>
                <span className="min-w-0 flex-1">
                  <span className="block font-[550] text-ink">{sourceName(view, source)}</span>
                  {where === undefined ? null : <code className="block text-detail break-all text-ink-3 select-text"><VisibleText text={where} /></code>}
                </span>
                {source === provenance.disabledBy ? <span className="shrink-0 text-detail text-ink-2">switched it off</span> : null}
                {where === undefined ? null : <CopyButton text={where} onCopy={copyText} name="Copy path and line" />}
              </li>
            );
          })}
        </ol>
      </section>
      {fields.length === 0 ? null : (
        <section>
          <h3 className="mb-1.5 text-detail font-[550] text-ink-3">Field by field</h3>
          <div className="overflow-x-auto rounded-card border border-line bg-card">
            <table className="w-full border-collapse text-list">
              <thead className="sr-only">
                <tr><th scope="col">Field</th><th scope="col">From</th><th scope="col">In place of</th></tr>
              </thead>
              <tbody>
                {fields.map((field) => <FieldRow key={field.field} origin={field} sources={sources} />)}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </div>
  );
}

function FieldRow({ origin, sources }: { readonly origin: FieldOrigin; readonly sources: SourcesById }) {
  const named = (id: string): string => sourceName(sources.get(id), id);
  const line = origin.place === undefined ? '' : `:${origin.place.line}`;
  return (
    <tr className="border-t border-line first:border-t-0">
      <th scope="row" className="px-3 py-1.5 text-left align-top font-normal text-ink-2" title={origin.field}>{fieldWords[origin.field] ?? origin.field}</th>
      <td className="px-3 py-1.5 align-top text-ink">
        {named(origin.source)}{line}
        {origin.dropped ? <span className="block text-detail text-ask">left out: this file changed where it connects to</span> : null}
      </td>
      <td className="px-3 py-1.5 align-top text-detail text-ink-3">{origin.overrode.length === 0 || origin.dropped ? '' : `instead of ${origin.overrode.map(named).join(', ')}`}</td>
    </tr>
  );
}
