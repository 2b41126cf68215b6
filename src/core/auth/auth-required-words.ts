import type { AppError } from '../../shared/errors.ts';

export interface AuthRequired {
  readonly server: string;
  /** The person's own words (F-175). */
  readonly template: string | undefined;
  /** It can be signed in to; else what its settings send is refused. */
  readonly canSignIn: boolean;
}

/** What a model, and a person at a terminal, read when a server wants a sign-in. `${server}` in the person's own words is its name, wherever it stands. */
export function authRequiredWords({ code }: Pick<AppError, 'code'>, { server, template, canSignIn }: AuthRequired): string {
  if (template !== undefined) return withServer(template, server);
  if (!canSignIn) return `“${server}” does not accept the token or headers that its settings send. Only the person can change them.`;
  const what = code === 'auth/scopes-needed' ? 'wants more permission than was granted' : 'wants the person to sign in';
  return `“${server}” ${what}. They can do that in Gatehouse, or with \`gatehouse mcp auth\`; action auth-start of the tool mcp gives you the address for them.`;
}

export const withServer = (template: string, server: string): string => template.replaceAll('${server}', () => server);
