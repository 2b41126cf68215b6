import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { everythingStdio, startEverything } from '../servers/http/everything.ts';
import { RawSocket } from '../servers/raw-socket.ts';
import { appState } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink, testServer } from './person.ts';

type Kind = 'Command' | 'HTTP' | 'SSE' | 'Socket';
interface Entered {
  readonly name: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly address?: string;
  readonly socket?: string;
  readonly env?: readonly (readonly [name: string, value: string])[];
}

/** Fills the form as a person does, up to the press of its button. */
async function fillForm(window: Page, kind: Kind, entered: Entered): Promise<Locator> {
  await pageLink(window, 'Servers').click();
  await window.getByRole('button', { name: 'Add server' }).first().click();
  const form = window.getByRole('form', { name: 'Add a server' });
  await form.getByRole('radio', { name: kind, exact: true }).click();
  if (entered.command !== undefined) await form.getByRole('textbox', { name: 'Command', exact: true }).fill(entered.command);
  for (const [index, arg] of (entered.args ?? []).entries()) {
    await form.getByRole('button', { name: 'Add an argument' }).click();
    await form.getByRole('textbox', { name: `Argument ${index + 1}`, exact: true }).fill(arg);
  }
  if (entered.address !== undefined) await form.getByRole('textbox', { name: 'Address', exact: true }).fill(entered.address);
  if (entered.socket !== undefined) await form.getByRole('textbox', { name: 'Socket', exact: true }).fill(entered.socket);
  await form.getByRole('textbox', { name: 'Name', exact: true }).first().fill(entered.name);
  for (const [name, value] of entered.env ?? []) {
    await form.getByRole('button', { name: 'Add a variable' }).click();
    await form.getByRole('textbox', { name: 'Name', exact: true }).last().fill(name);
    await form
      .getByLabel(new RegExp(`^Value of ${name}|^${name}`))
      .last()
      .fill(value);
  }
  return form;
}
async function add(window: Page, kind: Kind, entered: Entered): Promise<void> {
  const form = await fillForm(window, kind, entered);
  await form.getByRole('button', { name: 'Add server' }).click();
  await expect(window.getByRole('heading', { level: 1 })).toContainText(entered.name);
}
const tab = async (window: Page, name: string): Promise<Locator> => {
  await window.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  return window.getByRole('tabpanel', { name: new RegExp(`^${name}`) });
};
const connected = (window: Page) => expect(window.getByRole('main').getByText('Connected', { exact: true })).toBeVisible();
const stateNote = (window: Page) => window.getByRole('region', { name: 'Its state' });
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const rowOf = async (window: Page, name: string) =>
  Object.values((await appState(window)).servers).find((row) => row.definition.name === name);

test('the reference server is added by the form over stdio, and everything that it offers is seen', async ({ page, home }) => {
  await add(page, 'Command', {
    name: 'Everything',
    command: everythingStdio.command,
    args: everythingStdio.args,
    env: [
      ['EXAMPLE_API_KEY', 'canary-5f3a-value'],
      ['PLAIN_WORD', 'visible'],
    ],
  });
  await connected(page);

  await test.step('its tools with their whole schemas, resources, prompts, instructions and log are there', async () => {
    const tools = await tab(page, 'Tools');
    await tools.getByRole('button', { name: /^Echo/ }).click();
    await expect(tools).toContainText('message');
    await expect(tools).toContainText('required');
    await expect(await tab(page, 'Resources')).toContainText('demo://resource');
    await expect(await tab(page, 'Prompts')).toContainText('simple-prompt');
    await expect(await tab(page, 'Instructions')).not.toContainText('No instructions');
    await expect(await tab(page, 'Log')).toContainText(/Starting|started|Connect/i);
  });

  await test.step('the secret is in the vault and nowhere in the home in clear', async () => {
    const details = await tab(page, 'Details');
    await expect(details).toContainText('EXAMPLE_API_KEY');
    await expect(page.getByRole('main')).not.toContainText('canary-5f3a-value');
    expect(() => execFileSync('grep', ['-r', '-l', 'canary-5f3a-value', home])).toThrow();
    const transport = (await rowOf(page, 'Everything'))?.definition.transport;
    expect(transport).toMatchObject({ env: { PLAIN_WORD: { plain: 'visible' }, EXAMPLE_API_KEY: { secretRef: expect.any(String) } } });
  });

  await test.step('it is stopped, started, restarted and removed', async () => {
    const pid = async () => {
      const state = (await rowOf(page, 'Everything'))?.connection;
      return state?.phase === 'ready' ? state.pid : undefined;
    };
    const first = await pid();
    await page.getByRole('button', { name: 'Restart', exact: true }).click();
    await expect.poll(async () => ![undefined, first].includes(await pid())).toBe(true);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByRole('main').getByText('Stopped', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await connected(page);
    const last = await pid();
    await page.getByRole('button', { name: 'More for Everything' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove server' }).click();
    await expect.poll(() => rowOf(page, 'Everything')).toBeUndefined();
    await expect.poll(() => isRunning(last ?? 0), { message: 'the process of a removed server ends' }).toBe(false);
  });
});

test('servers are added by the form over Streamable HTTP, SSE and a Unix socket, and connect', async ({ page, folder }) => {
  const [http, sse] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
  try {
    await using socket = await RawSocket.start(join(folder, 's'));
    await add(page, 'HTTP', { name: 'Web', address: http.url });
    await connected(page);
    await expect(await tab(page, 'Tools')).toContainText('Echo');
    await add(page, 'SSE', { name: 'Older web', address: sse.url });
    await connected(page);
    await expect(await tab(page, 'Tools')).toContainText('Echo');
    await add(page, 'Socket', { name: 'Local', socket: socket.path });
    await connected(page);
    await expect(await tab(page, 'Tools')).toContainText('echo');

    const form = await fillForm(page, 'HTTP', { name: 'Web', address: http.url });
    await form.getByRole('button', { name: 'Add server' }).click();
    await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveAttribute('aria-invalid', 'true');
    await expect(form).toContainText('There is a server with this name');
    expect(Object.keys((await appState(page)).servers)).toHaveLength(5);
  } finally {
    await Promise.all([http.stop(), sse.stop()]);
  }
});

test('a server that does not connect says why and what to do next', async ({ page }) => {
  const web = createServer((request, response) => {
    if (request.url?.startsWith('/private')) response.writeHead(401).end('who are you?');
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title><p>It works</p>');
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const { port } = web.address() as AddressInfo; // it listens on a port, as the line above says
  try {
    await add(page, 'Command', { name: 'Missing', command: 'no-such-program-here' });
    await expect(stateNote(page)).toContainText('Command not found');
    await expect(stateNote(page)).toContainText('Where Gatehouse looked');
    await expect(stateNote(page)).toContainText('/usr/bin');
    await expect(stateNote(page).getByRole('button', { name: 'Try again' })).toBeVisible();

    await add(page, 'Command', {
      name: 'Short',
      command: process.execPath,
      args: [testServer('broken.mjs'), 'exits-at-once'],
      env: [['API_KEY', 'sk-test-123']],
    });
    await expect(stateNote(page)).toContainText(/Exited with code 1|Keeps crashing/);
    await expect(stateNote(page)).toContainText('API_KEY=••• is invalid');
    await expect(page.getByRole('main')).not.toContainText('sk-test-123');

    await add(page, 'HTTP', { name: 'Private', address: `http://127.0.0.1:${port}/private` });
    await expect(page.getByRole('region', { name: 'Sign-in' })).toContainText('Private wants you to sign in');
    await add(page, 'HTTP', { name: 'Page', address: `http://127.0.0.1:${port}/` });
    await expect(stateNote(page)).toContainText('Does not speak MCP');
    await expect(stateNote(page)).toContainText('Check the address');
  } finally {
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
  }
  await add(page, 'HTTP', { name: 'Gone', address: `http://127.0.0.1:${port}/mcp` });
  await expect(stateNote(page)).toContainText('Cannot be reached');
  await expect(stateNote(page)).toContainText('Nothing answers at its address.');
});
