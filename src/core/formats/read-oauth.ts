import * as z from 'zod';
import { childOf, plainOf, textOf, type DocNode } from './document.ts';
import { joinPath } from './issues.ts';
import { oauthProblems } from './oauth-rules.ts';
import type { RawOAuth } from './raw-entry.ts';
import { RawValueShape, type ReadContext } from './read-values.ts';

const text = z.string().trim().min(1);
/** A JWK is kept as its JSON text. */
const PrivateKey = z.union([RawValueShape, z.looseObject({ kty: z.string() }).transform((key) => JSON.stringify(key))]);
const OAuth = z.object({
  grantType: z.enum(['authorization_code', 'client_credentials', 'jwt-bearer']).exactOptional(),
  clientId: text.exactOptional(),
  clientSecret: RawValueShape.exactOptional(),
  scope: z.string().exactOptional(),
  redirectUri: text.exactOptional(),
  clientName: text.exactOptional(),
  clientUri: text.exactOptional(),
  clientMetadataUrl: z.union([text, z.literal(false)]).exactOptional(),
  skipIssuerMetadataValidation: z.boolean().exactOptional(),
  authorizationParams: z.record(z.string(), z.string()).exactOptional(),
  privateKeyJwt: z
    .object({
      privateKey: PrivateKey,
      algorithm: text,
      audience: z.string().exactOptional(),
      lifetimeSeconds: z.number().int().positive().exactOptional(),
      claims: z.record(z.string(), z.json()).exactOptional(),
    })
    .exactOptional(),
  assertion: RawValueShape.exactOptional(),
  crossAppAccess: z.object({ idpUrl: text, clientId: text, idToken: RawValueShape, clientSecret: RawValueShape.exactOptional() }).exactOptional(),
});

/** Other programs' names of the same thing. */
const aliases: Readonly<Record<string, string>> = {
  client_id: 'clientId', client_secret: 'clientSecret', CLIENT_ID: 'clientId', CLIENT_SECRET: 'clientSecret', redirect_uri: 'redirectUri', client_name: 'clientName',
};

/** Unknown keys are left alone. `undefined` when it cannot be used, which is then said. */
export function readOAuth(node: DocNode, path: string, { say, lenient }: ReadContext): RawOAuth | false | undefined {
  if (node.kind === 'scalar' && node.value === false) return false;
  const severity = lenient ? 'warning' : 'error';
  if (node.kind !== 'object') {
    say({ code: 'invalid-option', severity, path, message: 'oauth must be an object, or false', offset: node.offset });
    return undefined;
  }
  const members = node.members.map((member) => ({ ...member, key: Object.hasOwn(aliases, member.key) ? (aliases[member.key] ?? member.key) : member.key }));
  const named = { ...node, members };
  const plain = plainOf(named);
  const parsed = OAuth.safeParse(plain);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const steps = issue.path.filter((step) => typeof step !== 'symbol');
      const message = `oauth.${steps.join('.')} ${describe(issue)}`;
      say({ code: 'invalid-option', severity, path: joinPath(path, ...steps), message, offset: nodeAt(named, steps).offset });
    }
    return undefined;
  }
  const read: RawOAuth = { ...foreign(named), ...parsed.data };
  const problems = oauthProblems(read);
  for (const problem of problems) {
    say({ code: 'invalid-option', severity: problem.severity === 'error' ? severity : 'warning', path: joinPath(path, ...problem.path), message: problem.message, offset: nodeAt(named, problem.path).offset });
  }
  return problems.some((problem) => problem.severity === 'error') ? undefined : read;
}

/** Claude Code's `callbackPort`, and `scopes` as a list. */
function foreign(node: DocNode): RawOAuth {
  const port = childOf(node, 'callbackPort');
  const scopes = childOf(node, 'scopes');
  const scope = scopes?.kind === 'array' ? scopes.items.flatMap((item) => textOf(item) ?? []).join(' ') : '';
  return {
    ...(port?.kind === 'scalar' && Number.isInteger(port.value) ? { redirectUri: `http://localhost:${String(port.value)}/callback` } : {}),
    ...(scope === '' ? {} : { scope }),
  };
}

/** Of an option that has the wrong form. Never the value: it may be a secret. */
export function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must be at most ${String(issue.maximum)}`;
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${String(issue.minimum)}`;
    case 'invalid_union':
      return 'has none of the forms that it may have';
    case 'unrecognized_keys':
      return `knows no ${issue.keys.join(', ')}`;
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'has a form that it may not have';
  }
}

/** The deepest node that stands on this path. */
export function nodeAt(node: DocNode, path: readonly PropertyKey[]): DocNode {
  const [step, ...rest] = path;
  const next = node.kind === 'array' && typeof step === 'number' ? node.items[step] : typeof step === 'string' ? childOf(node, step) : undefined;
  return next ? nodeAt(next, rest) : node;
}
