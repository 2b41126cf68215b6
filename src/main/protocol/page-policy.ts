/** Our pages' scheme and host, and the scheme of results that are kept outside state. */
export const pageScheme = 'app';
export const pageHost = 'gatehouse';
export const pageOrigin = `${pageScheme}://${pageHost}`;
export const contentScheme = 'content';

/** What our own page may do. Nothing is fetched from anywhere but the app. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Primitives and code highlighting set styles from script; styles load nothing, since every source below is the app.
  "style-src 'self' 'unsafe-inline'",
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
