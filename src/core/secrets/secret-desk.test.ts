import { describe, expect, it } from 'vitest';
import { SecretParts } from '../../../test/support/secret-parts.ts';
import { Revision, ServerId } from '../../shared/ids.ts';
import { SecretKey, type ConfigScope } from '../../shared/model/config-value.ts';
import type { SecretReader, SecretWant } from './secret-desk.ts';

const never = new AbortController().signal;
const want = (key: string, over: Partial<SecretWant> = {}): SecretWant => ({ key: SecretKey.parse(key), scope: 'global', field: `env.${key}`, namedBy: 'global', ...over });
const reader = (over: Partial<SecretReader> = {}): SecretReader => ({
  serverId: ServerId.parse('global:docs'), server: 'docs', revision: Revision.parse('r1'), target: 'npx docs', ...over,
});
const ofProject: Partial<SecretReader> = { serverId: ServerId.parse('/projects/shop:docs'), project: '/projects/shop', digest: 'd1' };

async function open(parts: SecretParts, wants: readonly SecretWant[], from: SecretReader = reader(), signal = never, hear: (message: string | undefined) => void = () => undefined) {
  const values = await parts.desk.open(from, wants, hear, signal);
  return Object.fromEntries([...values].map(([id, value]) => [id, value.reveal()]));
}

describe('a secret whose policy is auto', () => {
  it('is read without a question', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a', 'auto');
    expect(await open(parts, [want('A')])).toEqual({ A: 'value-a' });
    expect(parts.questions).toEqual([]);
  });
});

describe('a secret whose policy is deny', () => {
  it('is read by nothing, whatever was allowed before, and the error names server and key', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a', 'auto');
    await parts.book.allow({ secret: SecretKey.parse('A'), serverId: reader().serverId, server: 'docs', revision: reader().revision, digest: 'd1' }, never);
    await parts.book.setPolicy('global', 'A', 'deny', never);
    await expect(open(parts, [want('A')])).rejects.toMatchObject({
      code: 'secret/policy-denied', message: expect.stringMatching(/docs.*\bA\b/), data: { server: 'docs', field: 'env.A', secretRef: 'A', scope: 'global' },
    });
    expect((await parts.vault.list(never))[0]).not.toHaveProperty('lastReadAt');
  });
});

describe('a secret whose policy is prompt', () => {
  it('is asked for once for a launch and a secret, and “always” is remembered', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    const heard: (string | undefined)[] = [];
    const opening = open(parts, [want('A'), want('A', { field: 'env.B' })], reader(), never, (message) => heard.push(message));
    const [question] = await parts.asked();
    expect(question).toEqual({ id: expect.any(String), serverId: 'global:docs', server: 'docs', target: 'npx docs', key: 'A', scope: 'global' });
    expect((await parts.vault.list(never))[0]).not.toHaveProperty('lastReadAt');
    await parts.answer('always');
    expect(await opening).toEqual({ A: 'value-a' });
    expect(heard).toEqual(['“docs” wants to read A', undefined]);
    expect(parts.questions).toEqual([]);
    parts.desk.ended(reader().serverId);
    expect(await open(parts, [want('A')])).toEqual({ A: 'value-a' });
  });

  it('is asked for again by another launch of the server, and by another server', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    const first = open(parts, [want('A')]);
    await parts.answer('always');
    await first;
    for (const other of [reader({ revision: Revision.parse('r2') }), reader({ serverId: ServerId.parse('global:other') })]) {
      const stop = new AbortController();
      const opening = open(parts, [want('A')], other, stop.signal);
      await parts.asked();
      stop.abort(new Error('enough'));
      await expect(opening).rejects.toThrow('enough');
      expect(parts.questions).toEqual([]);
    }
  });

  it('“once” holds until the connection ends', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    const first = open(parts, [want('A')]);
    await parts.answer('once');
    await first;
    expect(await open(parts, [want('A')])).toEqual({ A: 'value-a' });
    parts.desk.ended(reader().serverId);
    const again = open(parts, [want('A')]);
    await parts.answer('once');
    await again;
  });

  it('“deny” fails the launch, is not asked again by itself, and is by a person’s start', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    const first = open(parts, [want('A')]);
    await parts.answer('deny');
    await expect(first).rejects.toMatchObject({ code: 'secret/policy-denied', data: { server: 'docs', secretRef: 'A' } });
    await expect(open(parts, [want('A')])).rejects.toMatchObject({ code: 'secret/policy-denied' });
    parts.desk.forgive(reader().serverId);
    const again = open(parts, [want('A')]);
    await parts.answer('once');
    expect(await again).toEqual({ A: 'value-a' });
  });

  it('several are asked for together; one no ends the launch, and the other question goes', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    await parts.put('B', 'value-b');
    const opening = open(parts, [want('A'), want('B')]);
    await parts.asked(2);
    await parts.answer('deny', 1);
    await expect(opening).rejects.toMatchObject({ code: 'secret/policy-denied', data: { secretRef: 'B' } });
    await parts.asked(0);
    expect((await parts.vault.list(never)).some(({ lastReadAt }) => lastReadAt !== undefined)).toBe(false);
  });

  it('the same question of two launches is one, and answered for both; a late answer is told so', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    const stop = new AbortController();
    const [one, other] = [open(parts, [want('A')], reader(), stop.signal), open(parts, [want('A')])];
    const [question] = await parts.asked();
    stop.abort(new Error('enough'));
    await expect(one).rejects.toThrow('enough');
    await parts.answer('once');
    expect(await other).toEqual({ A: 'value-a' });
    await expect(parts.desk.answer(question?.id ?? '', 'always', never)).rejects.toMatchObject({ code: 'approval/not-found' });
  });

  it('with nobody to ask the launch fails at once', async () => {
    const parts = await SecretParts.open('none');
    await parts.put('A', 'value-a');
    await expect(open(parts, [want('A')])).rejects.toMatchObject({ code: 'user/needed', data: { server: 'docs', field: 'env.A', secretRef: 'A' } });
    expect(parts.questions).toEqual([]);
  });
});

describe('a secret that is not there', () => {
  it('fails the launch before anybody is asked, and says where it is named', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    await expect(open(parts, [want('A'), want('GONE', { field: 'headers.X' })])).rejects.toMatchObject({
      code: 'secret/missing', message: expect.stringMatching(/docs.*GONE.*headers\.X/), data: { server: 'docs', field: 'headers.X', secretRef: 'GONE', scope: 'global' },
    });
    expect(parts.questions).toEqual([]);
    await expect(open(parts, [want('input.x.pat', { input: 'pat' })])).rejects.toMatchObject({ data: { secretRef: 'input.x.pat', input: 'pat' } });
    expect(await open(parts, [want('GONE', { optional: true })])).toEqual({});
  });
});

describe('a project’s file', () => {
  const named = (key: string, scope: ConfigScope) => want(key, { scope, namedBy: 'project' });

  it('that names a global secret needs a grant even where the policy is auto, for this content alone', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a', 'auto');
    const first = open(parts, [named('A', 'global')], reader(ofProject));
    expect(await parts.asked()).toMatchObject([{ key: 'A', fromProject: '/projects/shop' }]);
    await parts.answer('always');
    expect(await first).toEqual({ A: 'value-a' });
    expect(await open(parts, [named('A', 'global')], reader(ofProject))).toEqual({ A: 'value-a' });
    const changed = open(parts, [named('A', 'global')], reader({ ...ofProject, digest: 'd2' }));
    await parts.answer('deny');
    await expect(changed).rejects.toMatchObject({ code: 'secret/policy-denied' });
  });

  it('is asked about once where the policy is prompt too', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a');
    const first = open(parts, [named('A', 'global')], reader(ofProject));
    await parts.answer('always');
    await first;
    expect(await open(parts, [named('A', 'global')], reader(ofProject))).toEqual({ A: 'value-a' });
  });

  it('needs the grant also where a global file of the same server names the secret too', async () => {
    const parts = await SecretParts.open();
    await parts.put('A', 'value-a', 'auto');
    for (const wants of [[want('A'), named('A', 'global')], [named('A', 'global'), want('A')]]) {
      const opening = open(parts, wants, reader(ofProject));
      expect(await parts.asked()).toMatchObject([{ key: 'A', fromProject: '/projects/shop' }]);
      await parts.answer('once');
      await opening;
      parts.desk.ended(reader(ofProject).serverId);
    }
  });

  it('may name its own secrets, and those of no other project', async () => {
    const parts = await SecretParts.open();
    parts.project = '/projects/blog';
    await parts.put('T', 'of-blog', 'auto', 'project');
    await expect(open(parts, [named('T', 'project')], reader(ofProject))).rejects.toMatchObject({ code: 'secret/missing' });
    parts.project = '/projects/shop';
    await parts.put('T', 'of-shop', 'auto', 'project');
    expect(Object.values(await open(parts, [named('T', 'project')], reader(ofProject)))).toEqual(['of-shop']);
    const stolen = `${parts.book.idOf('project', SecretKey.parse('T'))}`;
    await expect(open(parts, [named(stolen, 'global')], reader({ ...ofProject, project: '/projects/blog' }))).rejects.toMatchObject({ code: 'secret/missing' });
  });

  it('a global file cannot name a project’s secret', async () => {
    const parts = await SecretParts.open();
    parts.project = '/projects/shop';
    await parts.put('T', 'of-shop', 'auto', 'project');
    await expect(open(parts, [want('T', { scope: 'project' })], reader({ project: '/projects/shop' }))).rejects.toMatchObject({ code: 'secret/policy-denied' });
  });
});
