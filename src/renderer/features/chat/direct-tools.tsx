import type { ServerId } from '../../../shared/ids.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import { ownToolsId } from '../../../shared/model/own-tools.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { targetText } from '../../bridge/target-text.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useOwnTools } from './own-forms.ts';
import { ToolForm } from './tool-form.tsx';

export type ChosenTool = { readonly kind: 'known'; readonly tool: CatalogTool } | { readonly kind: 'named'; readonly serverId: ServerId; readonly name: string };

/** The form of the tool that was chosen above the composer, or named by a link from elsewhere. */
export function ChosenToolForm({ chosen, onRun, onClose }: {
  readonly chosen: ChosenTool;
  readonly onRun: (tool: CatalogTool, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  if (chosen.kind === 'named') return chosen.serverId === ownToolsId ? <OwnTool chosen={chosen} onRun={onRun} onClose={onClose} /> : <NamedTool chosen={chosen} onRun={onRun} onClose={onClose} />;
  return <KnownTool key={`${chosen.tool.ref.serverId} ${chosen.tool.ref.tool} ${chosen.tool.ref.revision}`} tool={chosen.tool} onRun={onRun} onClose={onClose} />;
}

function KnownTool({ tool, onRun, onClose }: { readonly tool: CatalogTool; readonly onRun: (tool: CatalogTool, args: Readonly<Record<string, unknown>>) => Promise<unknown>; readonly onClose: () => void }) {
  const transport = useApp((state) => state.servers[tool.ref.serverId]?.definition.transport);
  return <ToolForm tool={tool} target={transport ? targetText(transport) : undefined} onRun={(args) => onRun(tool, args)} onClose={onClose} />;
}

interface NamedProps {
  readonly chosen: Extract<ChosenTool, { readonly kind: 'named' }>;
  readonly onRun: (tool: CatalogTool, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly onClose: () => void;
}

function OwnTool({ chosen, onRun, onClose }: NamedProps) {
  const own = useOwnTools(true);
  const tool = own.find(({ ref }) => ref.tool === chosen.name);
  if (tool) return <KnownTool tool={tool} onRun={onRun} onClose={onClose} />;
  return own.length === 0 ? null : <NotOffered name={chosen.name} means="Gatehouse has no tool of this name." onClose={onClose} />;
}

function NamedTool({ chosen, onRun, onClose }: NamedProps) {
  const revision = useApp((state) => state.catalogRevision);
  const asked = useAsked(`${chosen.serverId} ${revision}`, (signal) => api.servers.catalog({ serverId: chosen.serverId }, signal));
  const tool = asked.phase === 'ready' ? asked.value?.tools.find((one) => one.ref.tool === chosen.name) : undefined;
  if (tool) return <KnownTool tool={tool} onRun={onRun} onClose={onClose} />;
  if (asked.phase === 'failed') return <div className="mb-2"><FailureNote error={asked.error} onRetry={asked.again} /></div>;
  if (asked.phase === 'loading') return null;
  return <NotOffered name={chosen.name} means="Its server is not connected or has changed its tools." onClose={onClose} />;
}

const NotOffered = ({ name, means, onClose }: { readonly name: string; readonly means: string; readonly onClose: () => void }) => (
  <div className="mb-2"><ErrorNote tone="ask" what={`“${name}” is not offered right now.`} means={means} action={{ label: 'Close', onPress: onClose }} /></div>
);
