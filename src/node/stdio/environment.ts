/** Environment variables by name. On Windows names differ by case alone; look them up with `variable`. */
export type Environment = Readonly<Record<string, string>>;
export type Platform = NodeJS.Platform;

export function variable(env: Environment, name: string, platform: Platform): string | undefined {
  if (platform !== 'win32') return env[name];
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/** `process.env` and its like, without the holes. */
export function definedOnly(env: NodeJS.ProcessEnv): Environment {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) defined[name] = value;
  return defined;
}

/** What belongs to the app, to Electron, to npm, or makes a loader run other code: none of it is a server's business. */
const strangers = [
  /^GATEHOUSE_/, /^HARNESS_MCP_SERVERS$/, /^ELECTRON_/, /^CHROME_DESKTOP$/, /^ORIGINAL_XDG_CURRENT_DESKTOP$/,
  /^(APPIMAGE|APPDIR|ARGV0|OWD)$/,
  /^npm_/i, /^INIT_CWD$/, /^NODE$/, /^(NODE_OPTIONS|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID|NODE_V8_COVERAGE)$/,
  /^(PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|BASH_ENV)$/,
];
/** Kept for the app's own runtime: it may need them to start at all. */
const libraryLoaders = /^(LD|DYLD)_/;

export interface ChildEnvironmentOptions {
  readonly platform: Platform;
  readonly ownRuntime: boolean;
}

/** The environment of a server: the person's, without what is not theirs, and the definition's own entries on top. [O1] [F-47] */
export function childEnvironment(person: Environment, own: Environment, { platform, ownRuntime }: ChildEnvironmentOptions): Environment {
  const env: Record<string, string> = {};
  const fromNpm = 'npm_lifecycle_event' in person;
  for (const [name, value] of Object.entries(person)) {
    const compared = platform === 'win32' ? name.toUpperCase() : name;
    if (strangers.some((pattern) => pattern.test(compared) || pattern.test(name))) continue;
    if (libraryLoaders.test(compared) && !ownRuntime) continue;
    env[name] = fromNpm && compared === 'PATH' ? withoutNpmFolders(value, platform) : value;
  }
  for (const [name, value] of Object.entries(own)) {
    if (platform === 'win32') for (const key of Object.keys(env)) if (key.toUpperCase() === name.toUpperCase()) delete env[key];
    env[name] = value;
  }
  return env;
}

/** `npm start` puts the tools of its own project first: a server would meet those instead of the person's. */
function withoutNpmFolders(path: string, platform: Platform): string {
  const separator = pathSeparator(platform);
  return path.split(separator).filter((folder) => !/[\\/](node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/.test(folder)).join(separator);
}

export function pathSeparator(platform: Platform): string {
  return platform === 'win32' ? ';' : ':';
}

/** The first path's folders, then those of the second that it lacks. */
export function mergedPath(first: string | undefined, second: string | undefined, platform: Platform): string | undefined {
  const folders = [first, second].flatMap((path) => path?.split(pathSeparator(platform)) ?? []).filter((folder) => folder !== '');
  return folders.length === 0 ? undefined : [...new Set(folders)].join(pathSeparator(platform));
}
