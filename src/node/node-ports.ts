import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AppOptions } from '../core/app.ts';
import { Lifetime } from '../core/kernel/lifetime.ts';
import type { Browser, NetworkEvents, Ports } from '../core/ports.ts';
import { Redactor } from '../core/secrets/redactor.ts';
import { createSystemBrowser } from './browser/system-browser.ts';
import { systemClock } from './clock.ts';
import { createContentStore } from './contents/content-store.ts';
import { createHomeArchive } from './home/archive/home-archive.ts';
import { applyStagedRestore } from './home/archive/staged-restore.ts';
import { openHome } from './home/home.ts';
import { createConfigFiles } from './files/config-files.ts';
import { createHost } from './host/host.ts';
import { lockHome } from './home/home-lock.ts';
import { createFileLog } from './log/file-log.ts';
import { createTraceFiles } from './log/trace-files.ts';
import { createSignInListeners } from './loopback/sign-in-listeners.ts';
import { NpxPackages } from './npx/package-commands.ts';
import { createModels } from './models/models.ts';
import { networkFetch } from './models/network-fetch.ts';
import type { LocalServers } from './models/detect.ts';
import { Network } from './network/network.ts';
import { environmentProxy, listedProxy } from './network/proxies.ts';
import { createSignInFetch } from './network/sign-in-fetch.ts';
import { systemCertificates } from './network/system-certificates.ts';
import { createDocuments } from './records/documents.ts';
import { createLocks } from './records/locks.ts';
import { createTranscriptStore } from './records/transcript-log.ts';
import { createScriptSandbox } from './sandbox/script-sandbox.ts';
import { createSchemaValidator } from './schema/schema-validator.ts';
import { createSecretCommands } from './secrets/secret-commands.ts';
import { createBuiltInServers } from './stdio/built-in-servers.ts';
import { definedOnly } from './stdio/environment.ts';
import { reapLeftovers } from './stdio/running-files.ts';
import { createPersonEnvironment, startedFromTerminal } from './stdio/shell-path.ts';
import { createTokenCounter } from './tokens/token-counter.ts';
import { createTransports, type TransportsOptions } from './transports/create-transports.ts';
import { systemKeyring, type Keyring } from './vault/keyring.ts';
import { createSealedFiles } from './vault/sealed-files.ts';
import { createVault } from './vault/vault.ts';

export interface NodePortsOptions {
  /** Where the home is: `GATEHOUSE_HOME`, and the person's own folders: `HOME`, `XDG_CONFIG_HOME`. */
  readonly env: NodeJS.ProcessEnv;
  readonly interaction: Ports['interaction'];
  readonly network: NetworkEvents;
  /** The program that runs the app, and with it the servers that come along. */
  readonly runtime: string;
  readonly scriptsFolder: string;
  readonly validatorWorker: URL;
  readonly tokenWorker: URL;
  readonly keyring?: Keyring;
  /** Default: the system's own program for it. */
  readonly browser?: Browser;
  /** The proxies that the system has for an address, as in an auto-configuration file (`PROXY host:port; DIRECT`). The person's `HTTPS_PROXY` and its like count first. */
  readonly systemProxies?: (url: string) => Promise<string>;
  readonly localServers?: LocalServers;
  readonly transports?: Partial<TransportsOptions>;
  /** The app's own, for what it writes for people. */
  readonly version?: string;
}
export interface NodePorts extends AsyncDisposable {
  readonly ports: Ports;
  readonly redactor: Redactor;
  readonly environment: AppOptions['environment'];
}

/** Core's ports on Node, for one home, whose one writer this process is until disposed. Ends what a crashed Gatehouse of this home left running. Throws `home/*`, `storage/failed`. */
export async function createNodePorts(options: NodePortsOptions): Promise<NodePorts> {
  const home = await openHome(options.env);
  const lifetime = new Lifetime();
  try {
    lifetime.own(await lockHome(home.folder));
    const restored = await applyStagedRestore(home.folder, systemClock.now());
    const redactor = new Redactor();
    const log = lifetime.own(createFileLog({ file: join(home.logs, 'gatehouse.log'), mask: (text) => redactor.mask(text) }));
    if (restored.kind === 'restored') log.info('A restored home was put in place', { before: restored.before });
    if (restored.kind === 'given-up') log.error('A restored home could not be put in place', restored.error);
    const left = await reapLeftovers(home.folder, { env: definedOnly(options.env) });
    if (left.length > 0) log.warn('Ended servers that an earlier Gatehouse left running', { processes: left.length });
    const keyring = options.keyring ?? systemKeyring();
    const vault = lifetime.own(createVault({ folder: home.vault, keyring, clock: systemClock }));
    const schemas = lifetime.own(createSchemaValidator({ worker: options.validatorWorker }));
    const tokens = lifetime.own(createTokenCounter(options.tokenWorker));
    const env = definedOnly(options.env);
    const { platform } = process;
    // Servers, variables and secret commands see the same environment, asked for once.
    const personEnvironment =
      options.transports?.personEnvironment ??
      createPersonEnvironment({ env, platform, fromTerminal: startedFromTerminal(env, [process.stdin, process.stdout, process.stderr]) });
    const host = createHost({ env, platform, gatehouseHome: home.folder, personEnvironment, log });
    const documents = createDocuments(home.folder);
    const network = lifetime.own(
      new Network({
        async proxyFor(url) {
          const said = environmentProxy(url, await personEnvironment(), platform);
          // Of the address only its origin: what else stands in it may be a secret.
          return said ? said.proxy : listedProxy((await options.systemProxies?.(url.origin)) ?? '');
        },
        certificates: async () => systemCertificates({ platform, env: await personEnvironment(), onProblem: (what, error) => log.error(`${what} cannot be read`, error) }),
      }),
    );
    const ports: Ports = {
      clock: systemClock,
      newId: randomUUID,
      log,
      documents,
      packages: lifetime.own(new NpxPackages({ documents, clock: systemClock, log, platform, personEnvironment, homeFolder: host.homeFolder })),
      configFiles: createConfigFiles({
        backups: join(home.folder, 'backups'), mask: (text) => redactor.mask(text),
        onProblem: (error) => log.error('A configuration file cannot be watched', error),
      }),
      host,
      secretCommands: createSecretCommands({ platform, personEnvironment, homeFolder: host.homeFolder }),
      transcripts: createTranscriptStore(home.chats),
      contents: createContentStore(home.contents),
      traces: createTraceFiles({ home: home.folder, now: () => systemClock.now(), onProblem: (error) => log.error('A trace cannot be written', error) }),
      vault,
      sealed: createSealedFiles({ folder: join(home.folder, 'waiting'), vault, clock: systemClock }),
      homeArchive: createHomeArchive({ home: home.folder, vault, keyring, clock: systemClock, app: options.version ?? '' }),
      transports: createTransports({ home: home.folder, env, personEnvironment, network, ...options.transports }),
      signInFetch: createSignInFetch({ network }),
      signInListeners: createSignInListeners(),
      browser: options.browser ?? createSystemBrowser({ platform, env }),
      locks: createLocks(home.folder),
      builtInServers: createBuiltInServers({ runtime: options.runtime, scriptsFolder: options.scriptsFolder, home: home.folder }),
      schemas,
      scripts: createScriptSandbox(),
      models: createModels({ log, fetch: networkFetch(network), ...(options.localServers === undefined ? {} : { localServers: options.localServers }) }),
      tokens,
      network: options.network,
      interaction: options.interaction,
    };
    const { electron, chrome, node } = process.versions;
    return {
      ports,
      redactor,
      environment: { home: home.folder, platform: process.platform, electron: electron ?? '', chrome: chrome ?? '', node },
      [Symbol.asyncDispose]: () => lifetime.end(),
    };
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}
