import { useMemo, useState, type ReactNode } from 'react';
import type { CatalogTool, JsonObject, ToolAnnotations } from '../../shared/model/catalog.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { CodeBlock, CopyButton } from '../ui/code-block.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { LongText } from '../ui/long-text.tsx';
import { ParameterList } from '../ui/parameters/parameter-list.tsx';
import { parametersOf } from '../ui/parameters/parameters.ts';
import { Segmented } from '../ui/segmented.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { api } from './api.ts';

/** For components of `ui/`, which know no bridge. */
export const copyText = (text: string): Promise<void> => api.shell.copy({ text });

/** All that is known of a tool: what it says, what it takes and gives, what a model calls it. `actions` stand at its end. */
export function ToolDetail({ tool, actions }: { readonly tool: CatalogTool; readonly actions?: ReactNode }) {
  const says = claimsOf(tool.annotations);
  return (
    <div className="flex flex-col gap-4">
      {tool.problem ? <ErrorNote compact what="This tool cannot be used." means={<VisibleText text={tool.problem} />} /> : null}
      {tool.description.trim() === '' ? (
        <p className="text-list text-ink-3">Its server does not describe it.</p>
      ) : (
        <LongText text={tool.description} code={false} lines={8} characters={900} className="text-list text-ink" />
      )}
      <SchemaView heading="What it takes" required="required" none="It takes no arguments." schema={tool.inputSchema} />
      {tool.outputSchema ? (
        <SchemaView heading="What it gives" required="always" none="Its schema names no fields." schema={tool.outputSchema} />
      ) : null}
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-list">
        {says.length > 0 ? (
          <>
            <dt className="text-ink-3">The server says</dt>
            <dd className="text-ink-2">
              {says.join(', ')} <span className="text-ink-3">(not checked)</span>
            </dd>
          </>
        ) : null}
        <dt className="text-ink-3">Models call it</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <code className="min-w-0 text-code break-all text-ink-2 select-text">
            <VisibleText text={tool.modelName} />
          </code>
          <CopyButton text={tool.modelName} onCopy={copyText} name="Copy the name" />
        </dd>
      </dl>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}

/** A server's claims about its tool, in words. They are shown and believed by nothing. */
function claimsOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations): readonly string[] {
  return [
    ...(readOnlyHint === true ? ['it only reads'] : readOnlyHint === false ? ['it changes things'] : []),
    ...(readOnlyHint === true
      ? []
      : destructiveHint === true
        ? ['it can destroy']
        : destructiveHint === false
          ? ['it destroys nothing']
          : []),
    ...(idempotentHint === true ? ['running it twice does no more than once'] : []),
    ...(openWorldHint === true ? ['it reaches out to the world'] : openWorldHint === false ? ['it stays within its own data'] : []),
  ];
}

function SchemaView({
  heading,
  required,
  none,
  schema,
}: {
  readonly heading: string;
  readonly required: string;
  readonly none: string;
  readonly schema: JsonObject;
}) {
  const parameters = useMemo(() => parametersOf(schema), [schema]);
  const [view, setView] = useState<'list' | 'json'>(parameters === undefined ? 'json' : 'list');
  const json = useMemo(() => visibleText(JSON.stringify(schema, undefined, 2)), [schema]);
  return (
    <section>
      <div className="mb-2 flex h-6 items-center justify-between gap-3">
        <h4 className="text-detail font-[550] text-ink-3">{heading}</h4>
        {parameters === undefined ? null : (
          <Segmented
            name={`${heading}, shown as`}
            value={view}
            onChange={setView}
            options={[
              { value: 'list', label: 'List' },
              { value: 'json', label: 'JSON' },
            ]}
          />
        )}
      </div>
      {view === 'json' || parameters === undefined ? (
        <CodeBlock code={json} language="json" onCopy={copyText} />
      ) : parameters.length === 0 ? (
        <p className="text-list text-ink-3">{none}</p>
      ) : (
        <div className="rounded-card border border-line bg-card px-3 py-2.5">
          <ParameterList parameters={parameters} required={required} />
        </div>
      )}
    </section>
  );
}
