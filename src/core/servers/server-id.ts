import { ServerId } from '../../shared/ids.ts';

/** One server of one owner: two projects may both have `db`. The form is an output and never taken apart. */
export const serverId = (owner: string, name: string): ServerId => ServerId.parse(`${owner}:${name}`);

/** One that a profile's file, or a person's answer, brings into runs: the same in each of them. */
export const runKin = (origin: string, name: string): ServerId => serverId(`run:${origin}`, name);
