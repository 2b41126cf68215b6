import * as z from 'zod';
import { ServerId, SecretId } from '../../shared/ids.ts';

/** What is known of a login beside its tokens. Nothing of it is secret. */
export const LoginFacts = z.object({
  issuer: z.string(),
  resource: z.string().optional(),
  clientId: z.string(),
  clientFrom: z.enum(['configured', 'typed', 'document', 'registered']),
  scopes: z.array(z.string()),
  account: z.string().optional(),
  signedInAt: z.number(),
  refreshedAt: z.number().optional(),
  expiresAt: z.number().optional(),
  /** Of the access token, in seconds, as the provider said. */
  lifetime: z.number().optional(),
  renews: z.boolean(),
  dpop: z.literal(true).optional(),
  /** Where the server described itself, if not at the usual place. */
  resourceMetadataUrl: z.string().optional(),
  /** Where the tokens are. */
  secretId: SecretId,
});
export type LoginFacts = z.infer<typeof LoginFacts>;

/** A client at one issuer. A secret of it is in the vault. */
export const ClientFacts = z.object({
  issuer: z.string(),
  clientId: z.string(),
  from: z.enum(['typed', 'document', 'registered']),
  /** Registered with the provider. */
  redirectUri: z.string().optional(),
  authMethod: z.string().optional(),
  /** What it may ask for (RFC 7591, section 2); absent where nobody said. */
  scope: z.string().optional(),
  /** Milliseconds since the epoch. */
  secretExpiresAt: z.number().optional(),
  secretId: SecretId.optional(),
});
export type ClientFacts = z.infer<typeof ClientFacts>;

export const ServerRecord = z.object({
  /** A hash of the server's address: everything below counts for that one only (F-160). */
  address: z.string(),
  login: LoginFacts.optional(),
  clients: z.array(ClientFacts).default([]),
  allowedHosts: z.array(z.string()).default([]),
  sharedFrom: ServerId.optional(),
  /** Who gave the machine its first token: its credentials go to nobody else. */
  machineIssuer: z.string().optional(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;
export const SignInsFile = z.object({ version: z.literal(1), servers: z.record(z.string(), ServerRecord) });
export type SignInsFile = z.infer<typeof SignInsFile>;

/** What the vault keeps for a login: bound to whom it is for, so that it cannot be read as another's. */
export const StoredTokens = z.object({
  address: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  accessToken: z.string(),
  tokenType: z.string(),
  refreshToken: z.string().optional(),
  /** The private key of its proofs (P-256), and the thumbprint that the tokens are bound to (RFC 7638). */
  dpopKey: z.object({ jwk: z.record(z.string(), z.unknown()), thumbprint: z.string() }).optional(),
});
export type StoredTokens = z.infer<typeof StoredTokens>;
