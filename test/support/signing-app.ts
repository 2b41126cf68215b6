import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '../../src/core/ports.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import type { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { FormPerson } from './form-person.ts';
import type { TestApp } from './test-app.ts';

/** A browser with somebody before it, who signs in, or says no, on each page that is opened. */
export class AttendedBrowser implements Browser {
  readonly opened: string[] = [];
  /** What the person does next. */
  mood: 'agrees' | 'refuses' | 'looks away' | 'has no browser' = 'agrees';
  readonly #awaited: ((url: string) => void)[] = [];

  /** The address that is opened next. */
  next(): Promise<string> {
    return new Promise((resolve) => this.#awaited.push(resolve));
  }

  async open(url: string): Promise<void> {
    if (this.mood === 'has no browser') throw new AppError('user/needed', 'There is no desktop to open a browser on');
    this.opened.push(url);
    for (const told of this.#awaited.splice(0)) told(url);
    const person = new FormPerson();
    // As in a browser: whoever opened the page does not wait for it, and a page may have nobody left to come back to.
    if (this.mood === 'agrees') person.signIn(url).catch(() => undefined);
    if (this.mood === 'refuses') person.deny(url).catch(() => undefined);
  }
}

/** Servers on the web, written into the home's own file beside each other, with the settings of that file. */
export async function defineOnWeb(test: TestApp, servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>, settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const before = test.state.configRevision;
  writeFileSync(join(test.home, 'mcp.json'), JSON.stringify({ settings, mcpServers: servers }));
  await test.until((state) => state.configRevision > before && Object.keys(servers).every((name) => Object.values(state.servers).some(({ definition }) => definition.name === name)));
}

/** The person allows what tests have to be: an authorization server on this machine. */
export async function allowIssuer(test: TestApp, name: string, issuer: SignInServer): Promise<ServerId> {
  const serverId = test.server(name);
  await test.ask('auth.allow-host', { serverId, host: new URL(issuer.issuer).host });
  return serverId;
}
