import * as z from 'zod';
import { ModelProviderId, SecretId } from '../ids.ts';
import { OutputGuard } from './output-guard.ts';
import { HttpUrl } from './server-definition.ts';
import { ApproveTools, ToolPrefix } from './server-options.ts';
import { SecretPolicy } from './secret-entry.ts';
import { documentProblem } from '../text/document-address.ts';

/** Which wire protocol a provider speaks. `openai` is the Responses API; `openai-compatible` is Chat Completions at any URL. */
export const ProviderKind = z.enum(['anthropic', 'openai', 'google', 'openai-compatible']);
export type ProviderKind = z.infer<typeof ProviderKind>;

export const ModelProvider = z.strictObject({
  id: ModelProviderId,
  kind: ProviderKind,
  name: z.string().trim().min(1).max(100),
  /** Absent: the provider's own address. */
  baseUrl: HttpUrl.optional(),
  /** The key's place in the vault; absent for servers that want none. */
  keyRef: SecretId.optional(),
  /** Models that the person entered by hand, beside those that the provider lists. */
  models: z.array(z.string().min(1).max(200)).max(500),
  /** Found on loopback by itself; not saved until used. */
  detected: z.boolean().optional(),
});
export type ModelProvider = z.infer<typeof ModelProvider>;

export const ModelChoice = z.strictObject({ providerId: ModelProviderId, model: z.string().min(1).max(200) });
export type ModelChoice = z.infer<typeof ModelChoice>;

export const ApprovalPreset = z.enum(['unrestricted', 'approval-required', 'locked-down']);
export type ApprovalPreset = z.infer<typeof ApprovalPreset>;

/** Lines about protocol messages, never what they say, in a file of the home (F-181 to F-183). */
export const TraceSetting = z.object({
  /** Every server that says nothing of its own. */
  enabled: z.boolean().default(false),
  /** In place of a file of its own for each session: this one, from the home where it is relative. */
  file: z.string().min(1).max(4_000).optional(),
  /** Of one session; then no more is written. */
  maxBytes: z.number().int().min(1).max(1_073_741_824).default(262_144),
  maxEvents: z.number().int().min(1).max(10_000_000).default(10_000),
});
export type TraceSetting = z.infer<typeof TraceSetting>;

const AuthRequiredMessage = z.string().trim().min(1).max(2_000);
const ScriptTimeout = z.number().int().min(1).max(2_147_483_647).nullable();
export const Settings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  approvals: ApprovalPreset.default('approval-required'),
  /** `true` asks for every tool, globs ask for those; per server the same, and a server's `false` removes only its globs. */
  approveTools: ApproveTools.default(false),
  providers: z.array(ModelProvider).default([]),
  /** What a new chat starts with; absent is Direct mode. */
  model: ModelChoice.optional(),
  /** Model answers in one run before it stops and asks to go on. */
  stepLimit: z.number().int().min(1).max(500).default(25),
  /** The open project's folder. */
  project: z.string().optional(),
  notifications: z.boolean().default(true),
  /** For secrets without a policy of their own (U-16). */
  secretPolicy: SecretPolicy.default('prompt'),
  /** Minutes without use before a server is stopped; fractions count, 0 never. A server's own wins (F-36). */
  idleTimeout: z.number().min(0).max(10_080).default(10),
  /** Milliseconds that a request to a server may be silent; 0 or less, or absent, means the usual 60 s. A server's own wins (F-55). */
  requestTimeoutMs: z.number().int().max(3_600_000).optional(),
  /** The form of the names that models see; a server's own wins. */
  toolPrefix: ToolPrefix.default('gatehouse'),
  /** Pins every tool of every server that says nothing of its own (F-102). */
  directTools: z.boolean().default(false),
  /** What is pinned stays as it was first offered until a person connects the server again (F-104). */
  freezeDirectTools: z.boolean().default(false),
  /** Where the app's own metadata document is hosted, with which it signs in (F-162); `false` or absent: nothing is advertised. A server's own wins. */
  clientMetadataUrl: z.union([z.string().min(1).max(2_000), z.literal(false)]).optional(),
  /** Whether long results are cut, and where (F-123). */
  outputGuard: OutputGuard.default(true),
  /** Whether servers may ask the person something while they work (F-150); they hear of it when they connect. Absent: as the person's files say, else they may. */
  elicitation: z.boolean().optional(),
  /** Days after which what results left behind is deleted; absent: with its chat. */
  contentDays: z.number().int().min(1).max(3_650).optional(),
  /** Leaves the gateway out of what a model is given, while there are pinned tools (F-95). */
  disableProxyTool: z.boolean().default(false),
  /** Whether models may write scripts over tools (F-129). */
  scriptMode: z.boolean().default(true),
  /** Whether a model may ask for the guide to writing scripts (F-206). */
  scriptGuide: z.boolean().default(true),
  /** Milliseconds that a script may run where it does not say itself; `null` for no limit (F-131). */
  scriptTimeoutMs: ScriptTimeout.default(30_000),
  /** A use that ends for want of a sign-in signs in, once, and is done again (F-168). Absent: as the person's files say, else not. */
  autoAuth: z.boolean().optional(),
  /** What models and the command line read when a server wants a sign-in, `${server}` being its name (F-175). Absent: as the person's files say, else our own words. */
  authRequiredMessage: AuthRequiredMessage.optional(),
  /** A server's own `trace` wins over whether. */
  trace: TraceSetting.prefault({}),
  /** The guided set-up was finished or skipped. */
  setUp: z.boolean().default(false),
  /** The person has been told that files of other programs count too (F-197). */
  sharedFilesSeen: z.boolean().default(false),
  /** The line at the foot of the side bar: connected of enabled, all numbers, or nothing (F-198). */
  statusFoot: z.enum(['compact', 'full', 'off']).default('compact'),
  /** The state's mark before that line. */
  statusIcon: z.boolean().default(true),
});
export type Settings = z.infer<typeof Settings>;

const said = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const ofFiles = z.object({
  toolPrefix: said(ToolPrefix), idleTimeout: said(Settings.shape.idleTimeout.unwrap()), requestTimeoutMs: said(Settings.shape.requestTimeoutMs.unwrap()),
  approveTools: said(ApproveTools), directTools: said(z.boolean()), freezeDirectTools: said(z.boolean()), disableProxyTool: said(z.boolean()), scriptMode: said(z.boolean()),
  outputGuard: said(OutputGuard), trace: said(TraceSetting), autoAuth: said(z.boolean()), authRequiredMessage: said(AuthRequiredMessage), elicitation: said(z.boolean()),
  statusFoot: said(Settings.shape.statusFoot.unwrap()), statusIcon: said(z.boolean()),
});
export type FileSettings = z.infer<typeof ofFiles>;
/** What the person's own files say under `settings` (F-3), where the app's settings say nothing. What is nothing that it could be counts as not said. */
export const fileSettings = (settings: Readonly<Record<string, unknown>>): FileSettings =>
  ofFiles.parse({ ...settings, statusFoot: settings['mcpFooterStatus'], statusIcon: settings['showStatusIcon'] });
export type FileSetting = keyof FileSettings;
/** One setting that the person's own files speak of. */
export interface SettingOrigin<T = unknown> {
  /** The file with the last word among them, as it is called. */
  readonly file: string;
  readonly says: T;
  /** Chosen in the app too: that holds (of what always asks, both do). */
  readonly chosenHere: boolean;
}
export type SettingOrigins = { readonly [Name in FileSetting]?: SettingOrigin<FileSettings[Name]> };
/** An https address that ends in a path; what stands there is the client's id. */
const DocumentAddress = z.string().trim().max(2_000).superRefine((url, context) => {
  const problem = documentProblem(url);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: `It ${problem}` });
});
/** What a window may change by `settings.update`; providers and project have operations of their own. `null` takes back what was chosen: the person's files hold again, else the usual. */
export const SettingsPatch = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  approvals: ApprovalPreset.optional(),
  approveTools: ApproveTools.nullable().optional(),
  model: ModelChoice.nullable().optional(),
  stepLimit: z.number().int().min(1).max(500).optional(),
  notifications: z.boolean().optional(),
  secretPolicy: SecretPolicy.optional(),
  idleTimeout: z.number().min(0).max(10_080).nullable().optional(),
  requestTimeoutMs: z.number().int().max(3_600_000).nullable().optional(),
  toolPrefix: ToolPrefix.nullable().optional(),
  directTools: z.boolean().nullable().optional(),
  freezeDirectTools: z.boolean().nullable().optional(),
  clientMetadataUrl: z.union([DocumentAddress, z.literal(false)]).nullable().optional(),
  outputGuard: OutputGuard.nullable().optional(),
  elicitation: z.boolean().nullable().optional(),
  contentDays: z.number().int().min(1).max(3_650).nullable().optional(),
  disableProxyTool: z.boolean().nullable().optional(),
  scriptMode: z.boolean().nullable().optional(),
  scriptGuide: z.boolean().optional(),
  scriptTimeoutMs: ScriptTimeout.optional(),
  autoAuth: z.boolean().nullable().optional(),
  authRequiredMessage: AuthRequiredMessage.nullable().optional(),
  trace: TraceSetting.nullable().optional(),
  setUp: z.literal(true).optional(),
  sharedFilesSeen: z.literal(true).optional(),
  statusFoot: z.enum(['compact', 'full', 'off']).nullable().optional(),
  statusIcon: z.boolean().nullable().optional(),
});
export type SettingsPatch = z.infer<typeof SettingsPatch>;

/** Where secret values can be kept right now. Nothing is ever written in the open. */
export type VaultStatus =
  | { readonly phase: 'unopened' }
  | { readonly phase: 'ready'; readonly secrets: number }
  | { readonly phase: 'memory-only'; readonly secrets: number }
  | { readonly phase: 'unavailable'; readonly why: 'no-keyring' | 'locked' | 'key-missing' | 'damaged' | 'refused'; readonly message: string };
