import type { TransportConfig } from '../../shared/model/server-definition.ts';

/** How the person says where a server is: its command line, address or socket. Values of variables and headers are not in it. */
export function targetText(transport: TransportConfig): string {
  switch (transport.type) {
    case 'stdio':
      return [transport.command, ...transport.args].map((word) => (/[\s"']/.test(word) || word === '' ? JSON.stringify(word) : word)).join(' ');
    case 'streamable-http':
    case 'sse':
      return transport.url;
    case 'socket':
      return transport.path;
  }
}
