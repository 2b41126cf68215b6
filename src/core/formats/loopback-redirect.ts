export interface LoopbackRedirect {
  readonly host: 'localhost' | '127.0.0.1' | '[::1]';
  /** 0: any that is free. */
  readonly port: number;
  readonly path: string;
}

/** Where a program of this machine can hear a browser come back (RFC 8252, section 7.3; F-164): http on loopback, with its port. `undefined` for every other address. */
export function loopbackRedirect(text: string): LoopbackRedirect | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || url.port === '' || url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  const { hostname } = url;
  if (hostname !== 'localhost' && hostname !== '127.0.0.1' && hostname !== '[::1]') return undefined;
  return { host: hostname, port: Number(url.port), path: url.pathname };
}
