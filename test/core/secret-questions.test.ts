import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { key, phase, question, ref, secretPlaces, start } from '../support/secret-places.ts';
import { buildParts, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts?.[Symbol.asyncDispose]());
const places = () => secretPlaces(parts);

describe('a launch that needs the person', () => {
  it('waits with a question; “always” is remembered when the app is started again', async () => {
    const { mine, write, server, open, starts } = places();
    const keyring = new MemoryKeyring();
    write(mine, { docs: server({ K: ref('KEY') }) });
    {
      await using app = await open({ keyring });
      await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key' });
      const starting = start(app, 'docs');
      const asked = await question(app);
      expect(asked).toMatchObject({ server: 'docs', serverId: app.server('docs'), key: 'KEY', scope: 'global', target: expect.stringContaining('tells.mjs') });
      expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'needs', what: 'secret' });
      expect(starts()).toEqual([]);
      // Not over HTTP.
      const http = { kind: 'http-api', token: 't' } as never; // a caller as the door makes it
      await expect(app.ask('secrets.answer', { questionId: asked.id, answer: 'always' }, http)).rejects.toMatchObject({ code: 'request/forbidden' });
      await app.ask('secrets.answer', { questionId: asked.id, answer: 'always' });
      await starting;
      expect(phase(app, 'docs')).toBe('ready');
      expect(app.state.secretQuestions).toEqual([]);
    }
    await using app = await open({ keyring });
    await start(app, 'docs');
    expect(phase(app, 'docs')).toBe('ready');
    expect(starts().map(({ env }) => env['K'])).toEqual(['value-of-key', 'value-of-key']);
  });

  it('[U-16] follows the secret’s own policy, else the global default, else asks', async () => {
    const { mine, write, server, open } = places();
    write(mine, { one: server({ K: ref('OWN') }), two: server({ K: ref('BARE') }) });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: key('OWN'), value: 'value-own', policy: 'deny' });
    await app.ask('secrets.put', { scope: 'global', key: key('BARE'), value: 'value-bare' });
    const asking = start(app, 'two');
    expect(await question(app)).toMatchObject({ key: 'BARE' });
    await app.ask('servers.stop', { serverId: app.server('two') });
    await asking;
    expect(app.state.secretQuestions).toEqual([]);
    await app.ask('settings.update', { secretPolicy: 'auto' });
    await start(app, 'two');
    expect(phase(app, 'two')).toBe('ready');
    await start(app, 'one');
    expect(app.state.servers[app.server('one')]?.connection).toMatchObject({ phase: 'needs', what: 'secret', message: expect.stringMatching(/one.*OWN/) });
    await app.ask('secrets.set-policy', { scope: 'global', key: key('OWN'), policy: 'auto' });
    await start(app, 'one');
    expect(phase(app, 'one')).toBe('ready');
    await app.ask('settings.update', { secretPolicy: 'deny' });
    await app.ask('servers.restart', { serverId: app.server('two') });
    expect(phase(app, 'two')).toBe('needs');
  });

  it('“once” said to a test is for that test', async () => {
    const { mine, write, server, open } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open();
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key' });
    const testing = app.ask('servers.test', { serverId: app.server('docs'), timeoutMs: 20_000 });
    await app.ask('secrets.answer', { questionId: (await question(app)).id, answer: 'once' });
    expect(await testing).toMatchObject({ status: 'valid' });
    const starting = start(app, 'docs');
    await app.ask('secrets.answer', { questionId: (await question(app)).id, answer: 'once' });
    await starting;
    // What holds for the connection is not taken from it by a test.
    expect(await app.ask('servers.test', { serverId: app.server('docs'), timeoutMs: 20_000 })).toMatchObject({ status: 'valid' });
    expect(app.state.secretQuestions).toEqual([]);
  });

  it('with nobody there fails at once', async () => {
    const { mine, write, server, open } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open({ interaction: 'none' });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key' });
    await start(app, 'docs');
    expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'needs', what: 'secret', message: expect.stringContaining('nobody to ask') });
    expect(app.state.secretQuestions).toEqual([]);
  });

  it('says which value is missing, and goes on with the next use once it is there', async () => {
    const { mine, write, server, open, starts } = places();
    write(mine, { docs: server({ K: ref('KEY') }) });
    await using app = await open();
    await start(app, 'docs');
    expect(app.state.servers[app.server('docs')]?.connection).toMatchObject({ phase: 'needs', what: 'secret', secret: { key: 'KEY', scope: 'global', field: 'env.K' } });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'value-of-key', policy: 'auto' });
    await start(app, 'docs');
    expect(starts().map(({ env }) => env['K'])).toEqual(['value-of-key']);
  });

  it('a project names its own secrets, and a global one only once the person has said so for this content', async () => {
    const { own, write, server, open, project, starts } = places();
    write(own, { docs: server({ MINE: ref('KEY', 'project'), YOURS: ref('KEY') }) });
    await using app = await open();
    await app.ask('settings.open-project', { folder: project });
    const trust = async () => {
      await app.until(({ trust: { phase: now } }) => now === 'ask');
      const { trust: asked } = app.state;
      if (asked.phase === 'ask') await app.ask('projects.trust', { project, digest: asked.question.digest });
    };
    await trust();
    await app.ask('secrets.put', { scope: 'project', key: key('KEY'), value: 'of-the-project', policy: 'auto' });
    await app.ask('secrets.put', { scope: 'global', key: key('KEY'), value: 'of-the-person', policy: 'auto' });
    const starting = start(app, 'docs');
    const asked = await question(app);
    expect(asked).toMatchObject({ key: 'KEY', scope: 'global', fromProject: project });
    await app.ask('secrets.answer', { questionId: asked.id, answer: 'always' });
    await starting;
    expect(starts().at(-1)?.env).toMatchObject({ MINE: 'of-the-project', YOURS: 'of-the-person' });
    // The app's own write renews the grant with the trust; a foreign one asks again.
    await app.ask('config.save', { scope: 'project', edits: [{ op: 'patch', name: 'docs', fields: { required: true } }] });
    await app.ask('servers.restart', { serverId: app.server('docs') });
    expect(phase(app, 'docs')).toBe('ready');
    writeFileSync(own, `${readFileSync(own, 'utf8')}\n`);
    await trust();
    await app.until((state) => Object.values(state.servers).some(({ definition }) => definition.name === 'docs'));
    const again = start(app, 'docs');
    const second = await question(app);
    await app.ask('secrets.answer', { questionId: second.id, answer: 'deny' });
    await again;
    expect(phase(app, 'docs')).toBe('needs');
  });
});
