import { Play, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { SchemaForm, type SchemaFormHandle } from '../../ui/schema-form/schema-form.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { annotationWords } from '../../bridge/annotation-words.ts';

/** A tool's form. It shows server, tool and all arguments: pressing Run is the approval, and nothing else runs it. */
export function ToolForm({ tool, target, onRun, onClose }: {
  readonly tool: CatalogTool;
  /** Where the server is, as the person knows it. */
  readonly target: string | undefined;
  readonly onRun: (args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const { state, run } = useRequest();
  const form = useRef<SchemaFormHandle>(null);
  const [invalid, setInvalid] = useState(0);
  const section = useRef<HTMLElement>(null);
  // Until the first field is there: keys that are pressed now are not meant for the composer.
  useEffect(() => {
    if (!section.current?.contains(document.activeElement)) section.current?.focus({ preventScroll: true });
  }, []);
  const press = () => {
    const checked = form.current?.check();
    if (!checked) return;
    setInvalid(checked.ok ? 0 : checked.problems);
    if (checked.ok) run(() => onRun(checked.args));
  };
  return (
    <section ref={section} tabIndex={-1} aria-label={`Run ${tool.title ?? tool.ref.tool}`} className="mb-2 flex max-h-[62vh] animate-appear flex-col rounded-card border border-line bg-card shadow-lifted focus-visible:outline-none">
      <div className="flex items-start gap-3 border-b border-line px-4 py-3">
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-baseline gap-x-2 text-body font-semibold text-ink"><VisibleText text={tool.title ?? tool.ref.tool} /></h2>
          <p className="truncate text-detail text-ink-3">
            <VisibleText text={tool.serverName} /> · <span className="font-code"><VisibleText text={tool.ref.tool} /></span>{target ? <> · <span className="font-code"><VisibleText text={target} /></span></> : null}
          </p>
        </div>
        {annotationWords(tool.annotations).map((words) => <Badge key={words.text} tone={words.tone}>{words.text}</Badge>)}
        <IconButton size="s" name="Close this tool" icon={<X size={16} strokeWidth={1.75} />} onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
        {tool.description ? <LongText text={tool.description} code={false} lines={3} characters={280} className="mb-3 text-list text-ink-2" /> : null}
        {tool.problem ? <ErrorNote what="This tool cannot be used." means={tool.problem} /> : <SchemaForm ref={form} schema={tool.inputSchema} initial={{}} autoFocus />}
      </div>
      <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
        {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server: tool.serverName, tool: tool.ref.tool }} /> : null}
        <div className="flex items-center gap-3">
          <Button look="primary" busy={state.phase === 'sending'} disabled={tool.problem !== undefined} icon={<Play size={12} fill="currentColor" aria-hidden />} onClick={press}>Run</Button>
          <Button look="plain" onClick={onClose}>Cancel</Button>
          <span role="status" className="ml-auto text-detail text-bad">{invalid === 0 ? '' : invalid === 1 ? 'One field needs a look.' : `${invalid} fields need a look.`}</span>
        </div>
      </div>
    </section>
  );
}
