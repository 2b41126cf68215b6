import { approvals } from './contract/approvals.ts';
import { auth } from './contract/auth.ts';
import { catalog } from './contract/catalog.ts';
import { chats } from './contract/chats.ts';
import { config } from './contract/config.ts';
import { dialogue } from './contract/dialogue.ts';
import { exchange } from './contract/exchange.ts';
import { home } from './contract/home.ts';
import { inspector } from './contract/inspector.ts';
import { models } from './contract/models.ts';
import { ownTools } from './contract/own-tools.ts';
import { probe } from './contract/probe.ts';
import { profiles } from './contract/profiles.ts';
import { projects } from './contract/projects.ts';
import { prompts } from './contract/prompts.ts';
import { resources } from './contract/resources.ts';
import { secrets } from './contract/secrets.ts';
import { servers } from './contract/servers.ts';
import { settings } from './contract/settings.ts';
import { skills } from './contract/skills.ts';

/** Everything that can be asked of the core, by every door. Each door exposes a named part. */
export const contract = { ...servers, ...catalog, ...chats, ...approvals, ...models, ...settings, ...config, ...projects, ...secrets, ...exchange, ...profiles, ...probe, ...inspector, ...home, ...ownTools, ...resources, ...prompts, ...auth, ...dialogue, ...skills };
export type Contract = typeof contract;
