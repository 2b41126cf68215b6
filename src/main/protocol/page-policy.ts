/** Our pages' scheme and host, and the scheme of results that are kept outside state. */
export const pageScheme = 'app';
export const pageHost = 'gatehouse';
export const pageOrigin = `${pageScheme}://${pageHost}`;
export const contentScheme = 'content';

/** Two style elements that packages put into the page: the scroll lock of dialogs, and the scroll bars of selects. */
const packagedStyles = ['sha256-nzTgYzXYDNe6BAHiiI7NNlfK8n/auuOAhh2t92YvuXo=', 'sha256-441zG27rExd4/il+NvIqyL8zFx5XmyNQtE381kSkUJk='];

/** What our own page may do. Nothing is fetched from anywhere but the app. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${packagedStyles.map((hash) => `'${hash}'`).join(' ')}`,
  "img-src 'self' data: content:",
  'media-src content:',
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), bluetooth=(), display-capture=(), clipboard-read=()',
} as const;

/** A result is shown as an image or played, and never runs anything. */
export const contentHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;
