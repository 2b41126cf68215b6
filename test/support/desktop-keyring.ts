import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A private session bus with a real gnome-keyring on it, whatever desktop the tests run in. While it is `used`, this process and those that
 * it starts talk to it alone.
 */
export class DesktopKeyring implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gh-kr-'));
  readonly #env: NodeJS.ProcessEnv;
  readonly #before = { address: process.env.DBUS_SESSION_BUS_ADDRESS, runtime: process.env.XDG_RUNTIME_DIR };
  #bus: ChildProcess | undefined;
  #daemon: ChildProcess | undefined;

  private constructor() {
    const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env; // Without a display no question is ever shown.
    mkdirSync(join(this.#folder, 'run'), { mode: 0o700 });
    this.#env = { ...env, HOME: this.#folder, XDG_RUNTIME_DIR: join(this.#folder, 'run'), XDG_DATA_HOME: join(this.#folder, 'data'), XDG_CACHE_HOME: join(this.#folder, 'cache') };
  }

  static async start(): Promise<DesktopKeyring> {
    const keyring = new DesktopKeyring();
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1'], { env: keyring.#env, stdio: ['ignore', 'pipe', 'ignore'] });
    keyring.#bus = bus;
    for await (const line of createInterface({ input: bus.stdout })) {
      keyring.#env.DBUS_SESSION_BUS_ADDRESS = line;
      break;
    }
    await keyring.unlock();
    return keyring;
  }

  /** From here on `systemKeyring()` in this process finds it. */
  use(): void {
    process.env.DBUS_SESSION_BUS_ADDRESS = this.#env.DBUS_SESSION_BUS_ADDRESS;
    process.env.XDG_RUNTIME_DIR = this.#env.XDG_RUNTIME_DIR;
  }

  async unlock(): Promise<void> {
    await this.#startDaemon(['--unlock'], 'the password');
  }

  /** As after a start of the session in which nobody has given the password yet. */
  async lock(): Promise<void> {
    await this.#startDaemon([], '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [this.#daemon, this.#bus]) await end(child);
    if (this.#before.address === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
    else process.env.DBUS_SESSION_BUS_ADDRESS = this.#before.address;
    if (this.#before.runtime === undefined) delete process.env.XDG_RUNTIME_DIR;
    else process.env.XDG_RUNTIME_DIR = this.#before.runtime;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startDaemon(args: readonly string[], password: string): Promise<void> {
    await end(this.#daemon);
    const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...args], { env: this.#env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#daemon = daemon;
    daemon.stdin.end(password);
    // Its control socket is there once it serves; the name on the bus comes a moment later.
    await until(() => existsSync(join(this.#folder, 'run', 'keyring', 'control')));
    await this.#named();
  }

  async #named(): Promise<void> {
    const { spawnSync } = await import('node:child_process');
    await until(() => spawnSync('dbus-send', ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'], { env: this.#env, encoding: 'utf8' }).stdout.includes('true'));
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function until(holds: () => boolean): Promise<void> {
  const late = performance.now() + 15_000;
  while (!holds()) {
    if (performance.now() > late) throw new Error('The keyring did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
