import type { ConfigIssue, Place } from '../../shared/model/source.ts';

/** What a reader reports; `readSource` adds the file and works out line and column. */
export interface Finding {
  readonly code: ConfigIssue['code'];
  /** Absent means `error`. */
  readonly severity?: ConfigIssue['severity'];
  readonly path: string;
  /** Never holds a value of the file: it may be a secret. */
  readonly message: string;
  readonly offset?: number;
  readonly server?: string;
}
export type Say = (finding: Finding) => void;

export function toIssue(finding: Finding, file: string, place: Place | undefined): ConfigIssue {
  const { code, severity = 'error', path, message, server } = finding;
  return { code, severity, file, path, message, ...(server === undefined ? {} : { server }), ...place };
}

/** `mcpServers.docs.args[2]` */
export const joinPath = (path: string, ...below: readonly (string | number)[]): string =>
  below.reduce<string>((whole, part) => (typeof part === 'number' ? `${whole}[${String(part)}]` : whole === '' ? part : `${whole}.${part}`), path);
