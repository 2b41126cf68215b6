import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from './temp-folder.ts';

export interface PackageFiles {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** A registry of npm packages on loopback, with what a test puts into it, and a place where npm keeps what it fetched. */
export class PackageRegistry implements AsyncDisposable {
  readonly cache = tempFolder();
  /** Of the person, whose `.npmrc` names both. */
  readonly home = tempFolder();
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #packages = new Map<string, Map<string, { readonly manifest: object; readonly tarball: Buffer }>>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '').slice(1);
      this.asked.push(path);
      const [, name = path, version] = /^(.+)\/-\/(.+)\.tgz$/.exec(path) ?? [];
      const versions = this.#packages.get(name);
      const one = version === undefined ? undefined : versions?.get(version);
      if (one) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(one.tarball);
      else if (versions && version === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.#about(name, versions)));
      else response.writeHead(404).end('{}');
    });
  }

  static async start(): Promise<PackageRegistry> {
    const registry = new PackageRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    writeFileSync(join(registry.home, '.npmrc'), `registry=${registry.url}\ncache=${registry.cache}\nupdate-notifier=false\naudit=false\nfund=false\n`);
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // a TCP server that listens has one
  }

  /** For packing: what npm keeps of that is not what it fetched. */
  get #env(): Readonly<Record<string, string>> {
    return { PATH: process.env['PATH'] ?? '', HOME: this.home, npm_config_cache: tempFolder(), npm_config_registry: this.url, npm_config_update_notifier: 'false', npm_config_audit: 'false', npm_config_fund: 'false' };
  }

  async publish({ files, ...manifest }: PackageFiles): Promise<void> {
    const folder = tempFolder();
    for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { mode: 0o755 });
    }
    // Not the blocking one: npm may ask this very registry.
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: folder, env: this.#env });
    const versions = this.#packages.get(manifest.name) ?? new Map();
    versions.set(manifest.version, { manifest, tarball: readFileSync(join(folder, stdout.trim())) });
    this.#packages.set(manifest.name, versions);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  #about(name: string, versions: ReadonlyMap<string, { readonly manifest: object; readonly tarball: Buffer }>): object {
    const all = [...versions].map(([version, { manifest, tarball }]) => {
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      return [version, { ...manifest, dist: { tarball: `${this.url}/${name}/-/${version}.tgz`, integrity } }] as const;
    });
    return { name, 'dist-tags': { latest: all.at(-1)?.[0] }, versions: Object.fromEntries(all) };
  }
}
