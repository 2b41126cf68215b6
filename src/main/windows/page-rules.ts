import { contentScheme, pageHost, pageOrigin, pageScheme } from '../protocol/page-policy.ts';
import type { PageRules } from './navigation-guard.ts';

/** Our page, and the rules for it. While developing, the page comes from a server on this machine, and that alone is let through besides. */
export function pageRules(developmentUrl: string | undefined): PageRules & { readonly origin: string } {
  const server = developmentUrl !== undefined && URL.canParse(developmentUrl) ? new URL(developmentUrl) : undefined;
  const development = server?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(server.hostname) ? server : undefined;
  return {
    pageUrl: development?.href ?? `${pageOrigin}/index.html`,
    origin: development?.origin ?? pageOrigin,
    mayRequest: (url) => URL.canParse(url) && isOurs(new URL(url), development),
  };
}

function isOurs(url: URL, development: URL | undefined): boolean {
  switch (url.protocol) {
    case `${pageScheme}:`:
      return url.host === pageHost;
    case `${contentScheme}:`:
    case 'data:':
    case 'blob:':
    case 'devtools:':
      return true;
    case 'http:':
    case 'ws:':
      return development !== undefined && url.host === development.host;
    default:
      return false;
  }
}
