import { Plus, X } from 'lucide-react';
import { Fragment, useRef, useState } from 'react';
import type { ApproveTools } from '../../../shared/model/server-options.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { patternProblem, withoutPattern, withPatterns } from './patterns.ts';

const none: ApproveTools = false;

/** Tools that ask even where others need not: by name, with `*` and `?`. */
export function AlwaysAsk() {
  const rule = useApp((state) => state.settings.approveTools) ?? none;
  const origin = useApp((state) => state.settingOrigins.approveTools);
  // What a file wants asked is asked whatever is chosen here.
  const ofFile = Array.isArray(origin?.says) ? origin.says : [];
  const everyByFile = origin?.says === true;
  const patterns = Array.isArray(rule) ? rule.filter((pattern) => !ofFile.includes(pattern)) : [];
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const { state, run } = useRequest();
  const input = useRef<HTMLInputElement>(null);
  /** Comes back when “for every tool” is taken back. */
  const kept = useRef<ApproveTools>(none);
  const save = (approveTools: ApproveTools) => run(() => api.settings.update({ approveTools }));
  const toggleAll = (every: boolean) => {
    if (every) kept.current = patterns.length === 0 ? none : patterns;
    save(every ? true : kept.current);
  };
  const add = () => {
    const wrong = patternProblem(text, [...ofFile, ...patterns]);
    setProblem(wrong);
    if (wrong !== undefined) return input.current?.focus();
    save(withPatterns(patterns, text));
    setText('');
  };
  const remove = (pattern: string) => {
    save(withoutPattern(patterns, pattern));
    input.current?.focus();
  };
  return (
    <div className="flex flex-col gap-3 rounded-card border border-line bg-card px-4 py-3">
      <div>
        <h3 className="text-list font-semibold text-ink">Always ask</h3>
        <p className="text-list text-ink-2">
          These ask even when everything of their server is allowed, or nothing is restricted. Allowing the very
          tool “always” still counts.
        </p>
      </div>
      <Checkbox label="For every tool" checked={rule === true} disabled={everyByFile} onChange={toggleAll} />
      {everyByFile ? <p className="text-detail text-ink-3">So says <code className="text-code">{origin.file}</code>.</p> : null}
      {rule === true ? null : (
        <>
          {origin && ofFile.length > 0 ? (
            <p className="text-list text-ink-2">
              <code className="text-code">{origin.file}</code> has these ask too:{' '}
              {ofFile.map((pattern, index) => <Fragment key={pattern}>{index === 0 ? null : ', '}<code className="text-code break-all"><VisibleText text={pattern} /></code></Fragment>)}
            </p>
          ) : null}
          {patterns.length > 0 ? (
            <ul aria-label="Patterns" className="flex flex-wrap gap-1.5">
              {patterns.map((pattern) => (
                <li
                  key={pattern}
                  className="inline-flex h-7 max-w-full items-center gap-1 rounded-control border border-line bg-pane pr-0.5 pl-2 text-list"
                >
                  <code className="min-w-0 truncate text-code">
                    <VisibleText text={pattern} />
                  </code>
                  <button
                    type="button"
                    aria-label={`Remove ${pattern}`}
                    onClick={() => remove(pattern)}
                    className="inline-flex size-6 items-center justify-center rounded-control text-ink-3 hover:bg-hover hover:text-ink"
                  >
                    <X size={12} aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              add();
            }}
          >
            <Field
              label="Add a name or pattern"
              error={problem}
              hint="A tool’s name, such as delete_note, or a pattern, such as delete_* or github_*. Separate several with commas."
            >
              {(parts) => (
                <div className="flex gap-1.5">
                  <Input
                    {...parts}
                    ref={input}
                    code
                    value={text}
                    placeholder="delete_*"
                    onChange={(event) => {
                      setText(event.currentTarget.value);
                      setProblem(undefined);
                    }}
                  />
                  <Button type="submit" busy={state.phase === 'sending'} icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}>
                    Add
                  </Button>
                </div>
              )}
            </Field>
          </form>
        </>
      )}
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </div>
  );
}
