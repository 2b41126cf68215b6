import * as z from 'zod';

const id = <B extends string>(brand: B) => z.string().min(1).max(200).brand(brand);

/** One server of one owner. Made by `serverId()`, never taken apart again. */
export const ServerId = id('ServerId');
export type ServerId = z.infer<typeof ServerId>;
export const ChatId = z.string().regex(/^[a-z0-9-]{1,64}$/).brand('ChatId');
export type ChatId = z.infer<typeof ChatId>;
export const RunId = id('RunId');
export type RunId = z.infer<typeof RunId>;
/** One record of a transcript. Records name the one they follow, so that a chat can branch. */
export const EntryId = id('EntryId');
export type EntryId = z.infer<typeof EntryId>;
export const ToolCallId = id('ToolCallId');
export type ToolCallId = z.infer<typeof ToolCallId>;
export const ApprovalId = id('ApprovalId');
export type ApprovalId = z.infer<typeof ApprovalId>;
/** One question of a server. The server's own id of it, if it has one, is something else. */
export const ElicitationId = id('ElicitationId');
export type ElicitationId = z.infer<typeof ElicitationId>;
export const GrantId = id('GrantId');
export type GrantId = z.infer<typeof GrantId>;
export const SecretId = z.string().regex(/^[A-Za-z0-9._-]{1,200}$/).brand('SecretId');
export type SecretId = z.infer<typeof SecretId>;
export const ModelProviderId = z.string().regex(/^[a-z0-9-]{1,64}$/).brand('ModelProviderId');
export type ModelProviderId = z.infer<typeof ModelProviderId>;
export const ContentId = z.string().regex(/^[a-z0-9-]{1,80}$/).brand('ContentId');
export type ContentId = z.infer<typeof ContentId>;
/** A hash that changes when what was trusted changes. */
export const Revision = id('Revision');
export type Revision = z.infer<typeof Revision>;
