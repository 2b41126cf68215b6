import * as z from 'zod';
import { ServerId } from '../../ids.ts';
import type { ContentRef } from '../../model/content.ts';
import type { SkillListing } from '../../model/skill.ts';
import type { ToolOutcome } from '../../model/tool-call.ts';
import { request } from '../define.ts';

export const skills = {
  /** What the server says of its skills now. Connects it if need be, and reads no file of any. Empty for a server without. */
  'skills.list': request<SkillListing>()(z.strictObject({ serverId: ServerId })),
  /**
   * A file of a skill, its SKILL.md or another, as `resources.read` reads: refused as `tool/not-found` unless the server says that it belongs to one. An outcome of `skill/not-verified`
   * is one of which nothing was used. `verified`: what came has the digest that was listed; false for what the server makes up as it is read.
   */
  'skills.read': request<{ readonly outcome: ToolOutcome; readonly files: readonly (ContentRef | null)[]; readonly verified: boolean }>()(z.strictObject({ serverId: ServerId, uri: z.string().min(1).max(8192) })),
};
