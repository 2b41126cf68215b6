import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fitTool } from '../../src/core/catalog/provider-fit.ts';
import { judgeOf, type Judge } from '../../src/node/schema/judge.ts';
import { ProviderKind } from '../../src/shared/model/settings.ts';
import { hostileSchemas } from '../support/hostile-schemas.ts';
import { refusals, requestRefusals } from '../support/provider-judge.ts';
import { sampleOf } from '../support/sample-arguments.ts';

type Json = Readonly<Record<string, unknown>>;
interface ServerOfSet {
  readonly server: string;
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema: Json }[];
}

/** 527 tools of 70 real servers. */
const servers: readonly ServerOfSet[] = JSON.parse(readFileSync(new URL('../fixtures/tool-retrieval/servers.json', import.meta.url), 'utf8'));
const samples = 12;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const judges = (schema: unknown): Judge => judgeOf(JSON.stringify(schema));
const fits = (judge: Judge, value: unknown): boolean => judge(value, JSON.stringify(value).length).kind === 'fits';

describe.each(ProviderKind.options)('real tools for %s', (kind) => {
  it.each(servers)('are taken whole, each with all of its properties: $server', ({ server, tools }) => {
    const taken = tools.map(({ name, description = '', inputSchema }, index) => {
      const before = JSON.stringify(inputSchema);
      const fit = fitTool(kind, { name: `mcp_${index}_tool`, description, inputSchema });
      if (fit.kind !== 'fits') throw new Error(`${server}/${name}: ${fit.reason}`);
      expect(refusals(kind, fit.tool).map((refusal) => `${name} ${refusal}`)).toEqual([]);
      expect(JSON.stringify(inputSchema)).toBe(before);
      const properties = isObject(inputSchema['properties']) ? Object.keys(inputSchema['properties']) : [];
      const shown = Object.keys(fit.tool.inputSchema['properties'] ?? {});
      // Under whatever names they are shown, they come back as the server knows them.
      expect(Object.keys(fit.mapArguments(Object.fromEntries(shown.map((key) => [key, 0]))))).toEqual(properties);
      expect(fit.tool.inputSchema['required'] ?? []).toHaveLength(new Set((inputSchema['required'] as string[] | undefined) ?? []).size); // names, as the set holds
      return fit.tool;
    });
    expect(requestRefusals(kind, taken)).toEqual([]);
  });

  it('can be called with what their own schemas allow, and what a model makes of the fitted one is judged by the server’s', () => {
    const counts = { allowed: 0, made: 0, right: 0 };
    for (const { server, tools } of servers) {
      for (const { name, inputSchema } of tools) {
        const fit = fitTool(kind, { name: 'tool', description: 'd', inputSchema });
        if (fit.kind !== 'fits') throw new Error(fit.reason);
        const [own, shown] = [judges(inputSchema), judges(fit.tool.inputSchema)];
        for (let seed = 0; seed < samples; seed += 1) {
          const args = sampleOf(inputSchema, seed);
          if (isObject(args) && fits(own, args)) {
            counts.allowed += 1;
            if (!fits(shown, args)) throw new Error(`${server}/${name} is shown as if it took no ${JSON.stringify(args)}: ${JSON.stringify(fit.tool.inputSchema)}`);
          }
          const made = sampleOf(fit.tool.inputSchema, seed);
          if (!isObject(made) || !fits(shown, made)) continue;
          counts.made += 1;
          const verdict = own(fit.mapArguments(made), 1000);
          expect(['fits', 'misfits']).toContain(verdict.kind);
          if (verdict.kind === 'fits') counts.right += 1;
        }
      }
    }
    expect(counts.allowed).toBeGreaterThan(5000);
    expect(counts.made).toBeGreaterThan(5000);
    // What a provider has no words for is all that may be missing from the fitted form.
    expect(counts.right / counts.made).toBeGreaterThan(0.97);
  });
});

/** `items` without a type is shown as a list, which is what it is meant for; and the validator knows no dynamic references. */
const undecided = new Set(['items in every wrong form', 'dynamic references']);

describe.each(ProviderKind.options)('hostile schemas for %s', (kind) => {
  it.each(hostileSchemas.filter(({ json }) => json.length < 100_000))('forbid nothing that the server allows, once they are fitted: $name', ({ name, json }) => {
    const inputSchema: unknown = JSON.parse(json);
    const fit = fitTool(kind, { name: 'tool', description: 'd', inputSchema });
    if (fit.kind !== 'fits' || undecided.has(name)) return;
    const [own, shown] = [judgeOf(json), judges(fit.tool.inputSchema)];
    for (let seed = 0; seed < samples; seed += 1) {
      const made = sampleOf(fit.tool.inputSchema, seed);
      if (isObject(made)) expect(fit.mapArguments(made)).toEqual(expect.any(Object));
      const args = sampleOf(inputSchema, seed);
      if (!isObject(args) || !fits(own, args)) continue;
      expect({ args, ...shown(underShownNames(args, fit), 1000) }).toMatchObject({ kind: 'fits' });
    }
  });
});

/** A server's arguments as a model would have to write them. */
function underShownNames(args: unknown, fit: { readonly tool: { readonly inputSchema: Json }; readonly mapArguments: (args: Json) => Json }): unknown {
  const shownNames = [...JSON.stringify(fit.tool.inputSchema).matchAll(/"([A-Za-z_0-9]+_[0-9a-f]{12})":/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  const shownAs = new Map(shownNames.map((name) => [Object.keys(fit.mapArguments({ [name]: 0 }))[0], name]));
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [shownAs.get(key) ?? key, renamed(one)])) : value;
  };
  return renamed(args);
}
