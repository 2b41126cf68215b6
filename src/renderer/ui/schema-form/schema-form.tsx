import { lazy, Suspense, useCallback, useEffect, useId, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { ErrorNote } from '../error-note.tsx';
import { inIdleMoments } from '../idle.ts';
import { Skeleton } from '../skeleton.tsx';
import type { Problem } from './check-arguments.ts';
import { displayOf } from './display-schema.ts';
import { FormSharedContext, type FormShared } from './form-context.ts';
import { JsonEditor } from './json-editor.tsx';
import { shapeArguments } from './shape-arguments.ts';

type Values = Readonly<Record<string, unknown>>;
const loadBody = () => import('./form-body.tsx');
const loadCheck = () => import('./check-arguments.ts');
const FormBody = lazy(() => loadBody().then((module) => ({ default: module.FormBody })));

/** Loads what a form needs ahead of its first use, in idle moments: what is shown now comes first. */
export const warmSchemaForm = (): void => void inIdleMoments([loadBody, loadCheck]).catch(() => undefined);

export type CheckedArguments = { readonly ok: true; readonly args: Values } | { readonly ok: false; readonly problems: number };
export interface SchemaFormHandle {
  /** The arguments as they would be sent, or how many fields are wrong; those are then marked. `undefined` while the form is still loading. */
  readonly check: () => CheckedArguments | undefined;
}

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Arguments for a tool, as a form made from its JSON Schema, or as JSON. It never submits by itself. */
export function SchemaForm({ ref, schema, initial, autoFocus = false }: { readonly ref: Ref<SchemaFormHandle>; readonly schema: Values; readonly initial: Values; readonly autoFocus?: boolean }) {
  const display = useMemo(() => displayOf(schema), [schema]);
  const [values, setValues] = useState(initial);
  const [asJson, setAsJson] = useState(display.kind === 'json');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [marking, setMarking] = useState(false);
  const unreadable = useRef(new Map<string, string>());
  const [unread, setUnread] = useState<readonly string[]>([]);
  const checker = useRef<typeof import('./check-arguments.ts')>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const idPrefix = useId();
  useEffect(() => {
    // Without it the guard still checks; then only the words come later.
    loadCheck().then((module) => (checker.current = module), () => undefined);
  }, []);

  const report = useCallback((field: string, words: string | undefined) => {
    const known = unreadable.current;
    if (words === undefined ? !known.delete(field) : known.get(field) === words) return;
    if (words !== undefined) known.set(field, words);
    setUnread([...known.values()]);
  }, []);
  const shared = useMemo((): FormShared => ({ idPrefix, problems, report }), [idPrefix, problems, report]);
  const argsOf = (from: Values): Values => (asJson ? from : shapeArguments(from, schema));
  const look = (from: Values): readonly Problem[] => checker.current?.checkArguments(schema, argsOf(from)) ?? [];
  const change = (next: Values) => {
    setValues(next);
    if (marking) setProblems(look(next));
  };
  useImperativeHandle(ref, () => ({
    check: () => {
      if (!checker.current) return undefined;
      const found = look(values);
      setMarking(true);
      setProblems(found);
      const wrong = found.length + unreadable.current.size;
      if (wrong > 0) requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return wrong > 0 ? { ok: false, problems: wrong } : { ok: true, args: argsOf(values) };
    },
  }));
  const onReady = useCallback(() => {
    if (!autoFocus) return;
    const first = root.current?.querySelector<HTMLElement>('input, textarea, [role="combobox"], [role="radio"]');
    first?.focus({ preventScroll: true });
    // A list that follows its end has moved by then; the field has the last word.
    requestAnimationFrame(() => requestAnimationFrame(() => first?.scrollIntoView({ block: 'nearest' })));
  }, [autoFocus]);
  const toggle = () => {
    if (asJson) setValues(isValues(values) ? values : {});
    else setValues(shapeArguments(values, schema));
    unreadable.current.clear();
    setUnread([]);
    setAsJson(!asJson);
  };
  const general = asJson ? problems : problems.filter((problem) => problem.path.length === 0);

  return (
    <FormSharedContext value={shared}>
      <div ref={root} className="flex flex-col gap-3">
        {display.kind === 'json' ? <p className="text-detail text-ink-3">{display.why} Write its arguments as JSON.</p> : null}
        {asJson || display.kind === 'json' ? (
          <JsonEditor
            key="json" rows={6} aria-label="Arguments as JSON" value={Object.keys(values).length === 0 ? {} : values} onProblem={(words) => report('json', words)}
            onChange={(value) => (isValues(value) ? (report('json', undefined), change(value)) : report('json', 'The arguments are an object: { "name": value }'))}
          />
        ) : (
          <Suspense fallback={<Skeleton rows={3} />}>
            <FormBody schema={display.schema} uiSchema={display.uiSchema} values={values} onChange={change} idPrefix={idPrefix} onReady={onReady} />
          </Suspense>
        )}
        {unread.map((words) => <ErrorNote key={words} compact what={words} />)}
        {general.map((problem) => <ErrorNote key={problem.path.join('/')} compact what={problem.path.length === 0 ? problem.words : `${problem.path.join(' › ')}: ${problem.words}`} />)}
        {display.kind === 'form' ? <button type="button" onClick={toggle} className="self-start rounded-control text-detail text-ink-3 underline-offset-2 hover:text-ink hover:underline">{asJson ? 'Back to the form' : 'Edit as JSON'}</button> : null}
      </div>
    </FormSharedContext>
  );
}
