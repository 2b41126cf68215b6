import { describe, expect, it } from 'vitest';
import { SecretId } from '../../../shared/ids.ts';
import { Pick, type Candidate, type DiscoveredSource } from '../../../shared/model/exchange.ts';
import { discoveryRows } from './discovery-rows.ts';
import { beginPick, pickOf, type Offered } from './picks.ts';

const candidate = (name: string, target = `npx ${name}`): Candidate => ({
  name, target, transport: { type: 'stdio', command: 'npx', args: [name], env: {} }, options: {}, enabled: true, alreadyConfigured: false, hasPlaintextSecrets: false, secretDescriptors: [],
});
const offered: Offered = { source: 'cursor', label: 'Cursor', candidate: candidate('docs') };

describe('what becomes of a found server', () => {
  it('is decided by the person alone: without a word, a taken name is refused', () => {
    expect(pickOf(beginPick(offered))).toEqual({ source: 'cursor', name: 'docs', onDuplicate: 'refuse' });
  });

  it('is sent in the words of the core, secret by secret', () => {
    const pick = pickOf({
      ...beginPick(offered), as: ' manual ', whenTaken: 'replace',
      secrets: {
        'env.API_KEY': { kind: 'create', name: ' docs.key ' }, 'env.MODE': { kind: 'plain' },
        'headers.X': { kind: 'use', ref: { secretRef: SecretId.parse('shared'), scope: 'global' } },
      },
    });
    expect(Pick.parse(pick)).toEqual({
      source: 'cursor', name: 'docs', as: 'manual', onDuplicate: 'replace',
      secrets: { 'env.API_KEY': { create: 'docs.key' }, 'env.MODE': { plain: true }, 'headers.X': { use: 'shared', scope: 'global' } },
    });
  });
});

describe('the list of what was found', () => {
  const sources: readonly DiscoveredSource[] = [
    { id: 'cursor', client: 'cursor', label: 'Cursor', scope: 'global', path: '/a', candidates: [candidate('docs'), candidate('search')] },
    { id: 'zed', client: 'zed', label: 'Zed', scope: 'global', path: '/b', candidates: [candidate('docs')] },
  ];
  const shown = (text: string) => discoveryRows(sources, text).map((row) => (row.kind === 'source' ? row.source.label : row.offered.candidate.name));

  it('has each program with its servers below it', () => {
    expect(shown('')).toEqual(['Cursor', 'docs', 'search', 'Zed', 'docs']);
  });

  it('is found in by server and by program, and leaves out programs without any', () => {
    expect(shown('search')).toEqual(['Cursor', 'search']);
    expect(shown('zed docs')).toEqual(['Zed', 'docs']);
    expect(shown('nothing')).toEqual([]);
  });
});
