import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useAsked } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/input.tsx';
import { countText, bytesText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { EntryIssues } from './entry-issues.tsx';
import { SettingGroup } from './setting-group.tsx';
import { importOf, type Exchange } from './pick-dialog.tsx';
import type { Offered } from './picks.ts';

const mostBytes = 4_194_304;

export interface ImportText {
  readonly text: string;
  /** The file that it was read from. */
  readonly from?: string;
  readonly problem?: string;
}
export interface ImportTextState extends ImportText {
  readonly set: (next: ImportText) => void;
  readonly read: (file: File) => void;
}

/** The text that may be imported, typed or read from a file. */
export function useImportText(): ImportTextState {
  const [held, set] = useState<ImportText>({ text: '' });
  const read = (file: File) => {
    if (file.size > mostBytes) return set({ text: '', problem: `${file.name} has ${bytesText(file.size)}; at most 4 MB can be read.` });
    file.text().then(
      (text) => set({ text, from: file.name }),
      () => set({ text: '', problem: `${file.name} cannot be read.` }),
    );
  };
  return { ...held, set, read };
}

/** Servers from text: pasted, from a file, or dropped on the page (U-57). */
export function ImportPane({ held, onReview }: { readonly held: ImportTextState; readonly onReview: (offers: readonly Offered[], exchange: Exchange) => void }) {
  const { text, from, problem, set, read } = held;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <SettingGroup
      title="Import"
      means="Paste a configuration of any program, a server, its address, or a command line. Or drop a file anywhere on this page."
      actions={
        <>
          <input
            ref={picker} type="file" hidden aria-label="File to import" accept=".json,.jsonc,.toml,.yaml,.yml,.txt"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (file) read(file);
            }}
          />
          <Button icon={<FileUp size={14} strokeWidth={1.75} aria-hidden />} onClick={() => picker.current?.click()}>From a file…</Button>
        </>
      }
    >
      <TextArea
        code
        rows={4}
        spellCheck={false}
        aria-label="Text to import"
        className="max-h-56!"
        placeholder={'{ "mcpServers": { … } }     claude mcp add …     npx -y …     https://…/mcp'}
        value={text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      {problem ? <p role="alert" className="text-list text-bad">{problem}</p> : null}
      {text.trim() === '' ? null : <Recognised key={from ?? 'typed'} text={text} from={from} onClear={() => set({ text: '' })} onReview={onReview} />}
    </SettingGroup>
  );
}

function Recognised({ text, from, onClear, onReview }: {
  readonly text: string;
  readonly from: string | undefined;
  readonly onClear: () => void;
  readonly onReview: (offers: readonly Offered[], exchange: Exchange) => void;
}) {
  // Asked as it is typed: reading text is quick, and what is no longer wanted is aborted.
  const asked = useAsked(text, (signal) => api.exchange.previewImport({ scope: 'global', text }, signal));
  if (asked.phase === 'failed') return <FailureNote error={asked.error} compact onRetry={asked.again} />;
  if (asked.phase === 'loading') return null;
  const { format, candidates, issues } = asked.value;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-8 items-center gap-3 text-list">
        <p role="status" className="min-w-0 flex-1 text-ink-2">
          {candidates.length === 0 ? 'No server is in this text.' : <><strong className="font-[550] text-ink">{countText(candidates.length, 'server')}</strong> in <VisibleText text={format} /></>}
          {from === undefined ? '' : <> (<VisibleText text={from} />)</>}
        </p>
        <Button look="plain" onClick={onClear}>Clear</Button>
        <Button look="primary" disabled={candidates.length === 0} onClick={() => onReview(candidates.map((candidate) => ({ source: 'text', label: format, candidate })), importOf(text))}>Review…</Button>
      </div>
      {issues.length > 0 ? <div className="rounded-card border border-ask-line bg-ask-soft pt-2 [&_button]:-my-0.5"><EntryIssues issues={issues} /></div> : null}
    </div>
  );
}
