import type { RequestError } from '../../bridge/api.ts';
import type { Problems, ServerForm, ValueRow } from './server-form-model.ts';

interface Place {
  readonly path: readonly unknown[];
}
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const hasPath = (value: unknown): value is Place => isRecord(value) && Array.isArray(value['path']);
const limitFields: Readonly<Record<string, string>> = { handshakeMs: 'handshake', callIdleMs: 'callIdle', callTotalMs: 'callTotal' };

/** What the core refused, put on the fields that it is about; empty when it is about none of them and has to be said as a whole. */
export function problemsOf(error: RequestError, form: ServerForm): Problems {
  switch (error.code) {
    case 'server/exists':
      return { name: 'There is a server with this name already. Choose another one.' };
    case 'secret/missing':
      return onRow(error.data, form, 'The saved value is gone. Enter it again.');
    case 'request/invalid':
      return Array.isArray(error.data)
        ? byPath(error.data, form)
        : onRow(error.data, form, 'This name belongs to a secret: its value is kept in the vault.');
    default:
      return {};
  }
}

function onRow(data: unknown, form: ServerForm, words: string): Problems {
  if (!isRecord(data)) return {};
  const { field, key } = data;
  const row = (field === 'env' || field === 'headers') && typeof key === 'string' ? rowNamed(form[field], key) : undefined;
  return row ? { [`${String(field)}:${row.key}`]: words } : {};
}

function byPath(issues: readonly unknown[], form: ServerForm): Problems {
  const problems: Record<string, string> = {};
  for (const issue of issues) {
    if (!hasPath(issue)) continue;
    const [first, second, third] = issue.path[0] === 'draft' ? issue.path.slice(1) : issue.path;
    const field =
      first === 'name'
        ? 'name'
        : first === 'limits' && typeof second === 'string'
          ? limitFields[second]
          : first !== 'transport'
            ? undefined
            : (second === 'env' || second === 'headers') && typeof third === 'string'
              ? rowField(form, second, third)
              : typeof second === 'string'
                ? second
                : undefined;
    if (field) problems[field] = 'This cannot be used.';
  }
  return problems;
}

const rowNamed = (rows: readonly ValueRow[], name: string): ValueRow | undefined => rows.find((row) => row.name.trim() === name);
const rowField = (form: ServerForm, field: 'env' | 'headers', name: string): string | undefined => {
  const row = rowNamed(form[field], name);
  return row && `${field}:${row.key}`;
};
