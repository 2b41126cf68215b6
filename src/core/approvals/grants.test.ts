import { describe, expect, it } from 'vitest';
import { ChatId, Revision, ServerId } from '../../shared/ids.ts';
import type { Grant } from '../../shared/model/tool-call.ts';
import type { Documents } from '../ports.ts';
import { Grants, type GrantSubject } from './grants.ts';

const signal = new AbortController().signal;
function memoryDocuments(): Documents & { text: string | undefined } {
  return {
    text: undefined,
    async read() {
      return this.text;
    },
    async update(_name, edit) {
      this.text = edit(this.text);
    },
  };
}
function setup(documents = memoryDocuments()) {
  let id = 0;
  let seen: readonly Grant[] = [];
  const grants = new Grants({ clock: { now: () => 1, sleep: async () => undefined, doze: async () => undefined }, newId: () => `g${(id += 1)}`, documents, onChange: (all) => (seen = all) });
  return { grants, documents, seen: () => seen };
}
const subject = (over: Partial<GrantSubject> = {}): GrantSubject => ({
  serverId: ServerId.parse('global:a'), serverName: 'a', serverRevision: Revision.parse('s1'), target: 'run a', tool: 't', toolRevision: Revision.parse('t1'), definition: 'v1', ...over,
});

describe('permissions', () => {
  it('hold for this tool of this server and no other', async () => {
    const { grants } = setup();
    await grants.allowAlways(subject(), 'tool', signal);
    expect(grants.check(subject(), undefined).allowed).toBe('tool');
    expect(grants.check(subject({ tool: 'u' }), undefined)).toEqual({ allowed: undefined, stale: undefined });
    expect(grants.check(subject({ serverId: ServerId.parse('global:b') }), undefined)).toEqual({ allowed: undefined, stale: undefined });
  });

  it('end when the tool changes, and show what it was', async () => {
    const { grants } = setup();
    await grants.allowAlways(subject(), 'tool', signal);
    expect(grants.check(subject({ toolRevision: Revision.parse('t2'), definition: 'v2' }), undefined)).toEqual({ allowed: undefined, stale: { what: 'tool', before: 'v1', after: 'v2' } });
  });

  it('end when the server is launched differently', async () => {
    const { grants } = setup();
    await grants.allowAlways(subject(), 'tool', signal);
    await grants.allowAlways(subject(), 'server', signal);
    expect(grants.check(subject({ serverRevision: Revision.parse('s2'), target: 'run b' }), undefined)).toEqual({ allowed: undefined, stale: { what: 'server', before: 'run a', after: 'run b' } });
  });

  it('end when the package that the command runs is another version, or becomes known', async () => {
    const { grants } = setup();
    await grants.allowAlways(subject({ package: '@acme/tool 1.0.0' }), 'tool', signal);
    expect(grants.check(subject({ package: '@acme/tool 1.0.0' }), undefined).allowed).toBe('tool');
    expect(grants.check(subject({ package: '@acme/tool 1.0.1' }), undefined)).toEqual({
      allowed: undefined, stale: { what: 'server', before: 'run a (@acme/tool 1.0.0)', after: 'run a (@acme/tool 1.0.1)' },
    });
    expect(grants.check(subject(), undefined).allowed).toBeUndefined();
  });

  it('for a server cover its tools, changed ones that were allowed singly excepted', async () => {
    const { grants } = setup();
    await grants.allowAlways(subject(), 'server', signal);
    expect(grants.check(subject({ tool: 'anything' }), undefined).allowed).toBe('server');
    await grants.allowAlways(subject(), 'tool', signal);
    expect(grants.check(subject({ toolRevision: Revision.parse('t2') }), undefined).stale?.what).toBe('tool');
  });

  it('for a chat end with the chat and never reach another', () => {
    const { grants } = setup();
    const [one, two] = [ChatId.parse('one'), ChatId.parse('two')];
    grants.allowForChat(one, subject());
    expect(grants.check(subject(), one).allowed).toBe('chat');
    expect(grants.check(subject(), two).allowed).toBeUndefined();
    expect(grants.check(subject({ toolRevision: Revision.parse('t2') }), one).allowed).toBeUndefined();
    grants.forgetChat(one);
    expect(grants.check(subject(), one).allowed).toBeUndefined();
  });

  it('survive a restart, and a file that cannot be understood allows nothing and stays as it is', async () => {
    const { grants, documents, seen } = setup();
    await grants.allowAlways(subject(), 'tool', signal);
    const again = setup(documents);
    await again.grants.load(signal);
    expect(again.grants.check(subject(), undefined).allowed).toBe('tool');
    const [grant] = seen();
    if (!grant) throw new Error('no grant');
    await again.grants.revoke(grant.id, signal);
    expect(again.grants.check(subject(), undefined).allowed).toBeUndefined();
    documents.text = '{"version":1,"grants":[{"id":';
    const broken = setup(documents);
    await expect(broken.grants.load(signal)).rejects.toMatchObject({ code: 'config/invalid' });
    await expect(broken.grants.allowAlways(subject(), 'tool', signal)).rejects.toMatchObject({ code: 'config/invalid' });
    expect(documents.text).toBe('{"version":1,"grants":[{"id":');
  });
});
