import * as z from 'zod';

/** What a scenario gives its client beside the server's address; the names are the suite's. */
const ScenarioContext = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  private_key_pem: z.string().optional(),
  signing_algorithm: z.string().optional(),
  idp_client_id: z.string().optional(),
  idp_id_token: z.string().optional(),
  idp_issuer: z.string().optional(),
  valid_jwt: z.string().optional(),
  wrong_audience_jwt: z.string().optional(),
  expired_jwt: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).optional(),
});
export type ScenarioContext = z.infer<typeof ScenarioContext>;

export interface Scenario {
  readonly name: string;
  /** Of the protocol. */
  readonly version: string;
  readonly url: string;
  readonly context: ScenarioContext;
}

/** How the suite starts its client: the address is the last argument, the rest is in the environment. */
export function scenarioOf(args: readonly string[], env: NodeJS.ProcessEnv): Scenario {
  const { MCP_CONFORMANCE_SCENARIO: name, MCP_CONFORMANCE_PROTOCOL_VERSION: version = '2025-11-25', MCP_CONFORMANCE_CONTEXT: context = '{}' } = env;
  const url = args.at(-1);
  if (name === undefined || url === undefined) throw new Error('This is started by the conformance suite: npm run conformance');
  return { name, version, url, context: ScenarioContext.parse(JSON.parse(context)) };
}
