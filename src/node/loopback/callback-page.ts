import { createHash } from 'node:crypto';
import type { CallbackVerdict } from '../../core/ports.ts';

/** The window's colours, light and dark. */
const style = `
:root{color-scheme:light dark;--ground:#f4f3ef;--card:#fff;--line:#e7e4dd;--ink:#1d1c1a;--ink-2:#55524c;--accent:#2c5c4f;--shadow:#1e190f0f}
@media (prefers-color-scheme:dark){:root{--ground:#161715;--card:#232522;--line:#30322e;--ink:#eceae5;--ink-2:#b7b4ac;--accent:#8fc3b1;--shadow:#00000040}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);
font:14px/1.55 'Inter','SF Pro Text',-apple-system,'Segoe UI','Cantarell','Ubuntu','Noto Sans','DejaVu Sans',system-ui,sans-serif}
main{width:100%;max-width:420px;padding:32px;border:1px solid var(--line);border-radius:10px;background:var(--card);box-shadow:0 6px 20px var(--shadow);text-align:center}
svg{color:var(--accent)}
h1{margin:16px 0 8px;font-size:20px;line-height:1.3;font-weight:600;text-wrap:balance}
p{color:var(--ink-2);text-wrap:balance}
`;

const words: Readonly<Record<CallbackVerdict, { readonly title: string; readonly text: string }>> = {
  accepted: { title: 'Gatehouse has your answer', text: 'You can close this tab and return to Gatehouse.' },
  denied: { title: 'You are not signed in', text: 'The sign-in was refused, and nothing was given to Gatehouse. You can close this tab.' },
  unknown: { title: 'This sign-in is over', text: 'Gatehouse is not waiting for this answer. If you still want to sign in, begin again in Gatehouse.' },
};

/** The app's mark. */
const gate = 'M4 21V8l8-5 8 5v13M9 21v-7a3 3 0 0 1 6 0v7M12 11v10';

/** What the browser shows at the end. Static: nothing that came with the request is in it. */
export function callbackPage(verdict: CallbackVerdict): string {
  const { title, text } = words[verdict];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – Gatehouse</title><style>${style}</style></head>
<body><main>
<svg viewBox="0 0 24 24" width="40" height="40" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${gate}"/></svg>
<h1>${title}</h1>
<p>${text}</p>
</main></body>
</html>
`;
}

/** Nothing runs and nothing is loaded; the page's own styles are named by their hash. It is kept nowhere, and its address, which holds the code, goes nowhere. */
export const callbackHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const;
