import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '../../src/core/ports.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { FormPerson } from './form-person.ts';
import type { TestApp } from './test-app.ts';

/** A browser with somebody before it, who signs in, or says no, on each page that is opened. */
export class AttendedBrowser implements Browser {
  readonly opened: string[] = [];
  /** What the person does next. */
  mood: 'agrees' | 'refuses' | 'looks away' = 'agrees';
  readonly #pages = new Set<Promise<unknown>>();

  async open(url: string): Promise<void> {
    this.opened.push(url);
    const person = new FormPerson();
    const page = this.mood === 'agrees' ? person.signIn(url) : this.mood === 'refuses' ? person.deny(url) : Promise.resolve();
    const seen = page.catch(() => undefined).finally(() => this.#pages.delete(seen));
    this.#pages.add(seen);
  }

  /** Every page has been dealt with. */
  async done(): Promise<void> {
    await Promise.all(this.#pages);
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

/** The code that a request ends with. */
export const codeOf = (asked: Promise<unknown>): Promise<string | undefined> => asked.then(() => undefined, (error: unknown) => AppError.from(error).code);
