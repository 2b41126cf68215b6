import { TriangleAlert } from 'lucide-react';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { hrefOf } from '../../bridge/place.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** `mcp.json:12:5`, as editors open it. */
const issuePlace = ({ file, line, column }: ConfigIssue): string => `${file}${line === undefined ? '' : `:${line}`}${line === undefined || column === undefined ? '' : `:${column}`}`;

/** `headers.Authorization` of `mcpServers.docs.headers.Authorization`. */
const fieldOf = ({ path, server }: ConfigIssue): string => (server === undefined ? path : path.slice(path.indexOf(`${server}.`) < 0 ? 0 : path.indexOf(`${server}.`) + server.length + 1));

/** What is wrong with an entry or file, where, and the one thing to do. */
export const EntryIssues = ({ issues }: { readonly issues: readonly ConfigIssue[] }) => (
  <ul className="flex flex-col gap-1 px-3 pb-2 text-detail">
    {issues.map((issue) => (
      <li key={`${issue.file} ${issue.code} ${issue.path} ${issue.line}`} className="flex min-w-0 items-start gap-1.5">
        <TriangleAlert size={12} strokeWidth={1.75} className={`mt-0.5 shrink-0 ${issue.severity === 'error' ? 'text-bad' : 'text-ask'}`} aria-hidden />
        <span className="min-w-0 flex-1 break-words text-ink-2 select-text">
          {issue.code === 'plaintext-secret' ? <>A secret stands in the open: <code><VisibleText text={fieldOf(issue)} /></code>.</> : <VisibleText text={issue.message} />}{' '}
          {issue.code === 'plaintext-secret' ? (
            <a href={hrefOf({ page: 'settings', section: 'secrets' })} className="text-accent underline-offset-2 hover:underline">Move it to the vault</a>
          ) : (
            <code className="break-all text-ink-3"><VisibleText text={issuePlace(issue)} /></code>
          )}
        </span>
        {issue.code === 'plaintext-secret' ? null : <CopyButton text={issuePlace(issue)} onCopy={copyText} name="Copy path and line" />}
      </li>
    ))}
  </ul>
);
