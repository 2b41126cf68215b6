import type { ServerId } from '../ids.ts';

/** A resource, or a template of resources, of some server: what a list of all of them shows. */
export interface ResourceLine {
  readonly serverId: ServerId;
  readonly serverName: string;
  /** Its address, or the template of its addresses. */
  readonly uri: string;
  readonly template: boolean;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  /** As its server listed it when last seen. */
  readonly cached: boolean;
}
