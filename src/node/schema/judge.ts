import { dereference, validate } from '@cfworker/json-schema';
import type { SchemaVerdict } from '../../core/ports.ts';
import { prepareSchema } from './prepare-schema.ts';
import { problemSentences } from './problem-sentences.ts';

/** Judges values by one schema. May run for ever: a schema's patterns and alternatives can be hostile. */
export type Judge = (value: unknown, size: number) => SchemaVerdict;

/** All problems of a larger value would take too long to gather; the first will do. Characters of JSON. */
const smallEnough = 200_000;

const notASchema = (message: string): SchemaVerdict => ({ kind: 'unusable', reason: 'not-a-schema', message });

/** `text` is the schema as JSON. References are looked up in the schema itself; nothing is ever fetched. */
export function judgeOf(text: string): Judge {
  return guarded(() => {
    const prepared = prepareSchema(JSON.parse(text));
    if (prepared.kind === 'no-schema') return always(notASchema(prepared.message));
    const { schema, draft } = prepared;
    const lookup = dereference(schema);
    return (value, size) => guarded((): SchemaVerdict => {
      const quick = validate(value, schema, draft, lookup, true);
      if (quick.valid) return { kind: 'fits' };
      const { errors } = size <= smallEnough ? validate(value, schema, draft, lookup, false) : quick;
      return { kind: 'misfits', problems: problemSentences(errors) };
    }, (verdict) => verdict);
  }, always);
}

const always = (verdict: SchemaVerdict): Judge => () => verdict;

function guarded<T>(work: () => T, otherwise: (verdict: SchemaVerdict) => T): T {
  try {
    return work();
  } catch (error) {
    return otherwise(notASchema(reasonOf(error)));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'It refers to itself without end, or is nested too deeply';
  const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
  const [, ref] = /^Unresolved \$ref "(.*)"\./.exec(line) ?? [];
  return ref === undefined ? `It cannot be used: ${line.slice(0, 160)}` : `The reference ${ref.slice(0, 160)} leads nowhere in it, and nothing is fetched`;
}
