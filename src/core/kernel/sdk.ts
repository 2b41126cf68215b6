/** The values of the MCP client library. To compile and run it takes a tenth of a second, so it is loaded by what first needs it, and not with the app. */
export type Sdk = typeof import('@modelcontextprotocol/client');

let loaded: Sdk | undefined;

/**
 * Once for everybody, however many ask at a time. Whoever makes a connection or signs in goes through here first. What the app starts with imports no value of the library
 * (test/architecture/start.ts).
 */
export async function loadSdk(): Promise<Sdk> {
  return (loaded ??= await import('@modelcontextprotocol/client'));
}

/** For what has no time to wait, such as judging an error: nothing thrown is the library's before it is loaded. */
export const sdkNow = (): Sdk | undefined => loaded;
