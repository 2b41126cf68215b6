import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { pageHeaders, pageHost } from './page-policy.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.ico': 'image/x-icon', '.woff2': 'font/woff2', '.wasm': 'application/wasm',
};

/** The file of `folder` that an address of ours names; `undefined` for any that leads elsewhere. */
export function fileOf(folder: string, address: string): string | undefined {
  const url = new URL(address);
  if (url.host !== pageHost) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    return undefined;
  }
  // A colon names a drive or a stream on Windows.
  if (/[\0\\:]/.test(path)) return undefined;
  const file = resolve(folder, `.${path}`);
  return file.startsWith(resolve(folder) + sep) && Object.hasOwn(types, extname(file)) ? file : undefined;
}

/** The runtime loads what answers are made of (all of its HTTP) when the first one is: done while the page's process starts, no request waits for it. */
export const warmAnswers = (): Response => new Response(null);

/** More than a stream reads ahead (64 KiB). */
const partBytes = 128 * 1_024;

/** A body that tells when it was taken: its end is asked for when all but the last part has gone to the page. */
function heard(bytes: Uint8Array, onTaken: () => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) return controller.enqueue(bytes.subarray(at, (at += partBytes)));
      controller.close();
      onTaken();
    },
  });
}

/** Serves the window's own files, with its policy on each. `onScript` hears of each script that the page asks for; what it gives back is called when the page has it. */
export function pageFiles(folder: string, onScript: () => () => void = () => () => undefined): (request: Request) => Promise<Response> {
  const refuse = (status: number) => new Response(null, { status, headers: pageHeaders });
  return async (request) => {
    if (request.method !== 'GET') return refuse(405);
    const file = fileOf(folder, request.url);
    if (file === undefined) return refuse(404);
    try {
      const taken = extname(file) === '.js' ? onScript() : undefined;
      const bytes = new Uint8Array(await readFile(file));
      return new Response(taken ? heard(bytes, taken) : bytes, { headers: { ...pageHeaders, 'content-type': types[extname(file)] ?? 'application/octet-stream' } });
    } catch {
      return refuse(404);
    }
  };
}
