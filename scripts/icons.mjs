/** Draws the app's icon and the tray's icons: `node scripts/icons.mjs`. What it writes to resources/icons is committed. */
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { ROOT } from './setup.mjs';

const FOLDER = path.join(ROOT, 'resources', 'icons');
const GREEN = [0x2f, 0x5d, 0x50];
const CHALK = [0xfb, 0xfa, 0xf8];
const BADGES = { working: [0x6f, 0xc2, 0x8a], 'needs-you': [0xf0, 0xb4, 0x3c], trouble: [0xe5, 0x5b, 0x4a] };

// Shapes are signed distances: below zero is inside. Points and lengths are in the mark's own 24 × 24 square.

const segment = (ax, ay, bx, by) => (x, y) => {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
};
const upperArc = (cx, cy, radius) => (x, y) =>
  y <= cy ? Math.abs(Math.hypot(x - cx, y - cy) - radius) : Math.min(Math.hypot(x - cx - radius, y - cy), Math.hypot(x - cx + radius, y - cy));
const line = (points) => points.slice(1).map(([x, y], i) => segment(...points[i], x, y));
const stroke = (parts, width) => (x, y) => Math.min(...parts.map((part) => part(x, y))) - width / 2;
const disc = (cx, cy, radius) => (x, y) => Math.hypot(x - cx, y - cy) - radius;
const tile = (inset, radius) => (x, y) => {
  const half = 12 - inset - radius;
  const [dx, dy] = [Math.abs(x - 12) - half, Math.abs(y - 12) - half];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
};

/** A gatehouse: walls under a pitched roof, an arch in it, the gate's two leaves. */
const mark = (width) => stroke(
  [
    ...line([[4, 21], [4, 8], [12, 3], [20, 8], [20, 21]]),
    ...line([[9, 21], [9, 14]]), ...line([[15, 21], [15, 14]]), upperArc(12, 14, 3),
    ...line([[12, 15.5], [12, 21]]),
  ],
  width,
);
const shrunk = (shape, scale) => (x, y) => shape((x - 12) / scale + 12, (y - 12) / scale + 12) * scale;

/** Shape as well as colour tells the states apart: a ring, a full disc with a stroke, a cross. */
const badgeShapes = {
  working: [stroke([(x, y) => Math.abs(disc(18, 18, 3.4)(x, y))], 2.4)],
  'needs-you': [disc(18, 18, 5), stroke([segment(18, 14.9, 18, 17.3)], 1.9), disc(18, 20.8, 1)],
  trouble: [disc(18, 18, 5), stroke([segment(16.2, 16.2, 19.8, 19.8), segment(16.2, 19.8, 19.8, 16.2)], 1.8)],
};

/** Layers, bottom first: [shape, colour], where colour `null` cuts out what is below. */
function trayLayers(state, template) {
  const body = template ? [[mark(2), [0, 0, 0]]] : [[tile(0.6, 5.5), GREEN], [shrunk(mark(2.3), 0.74), CHALK]];
  if (state === 'idle') return body;
  const [shape, ...inner] = badgeShapes[state];
  const gap = state === 'working' ? disc(18, 18, 6) : disc(18, 18, 6.4);
  const ink = template ? [0, 0, 0] : BADGES[state];
  return [...body, [gap, null], [shape, ink], ...inner.map((part) => [part, template ? null : GREEN])];
}

function draw(size, layers) {
  const scale = size / 24;
  const pixels = Buffer.alloc(size * size * 4);
  for (let py = 0; py < size; py += 1) {
    for (let px = 0; px < size; px += 1) {
      let [r, g, b, a] = [0, 0, 0, 0];
      for (const [shape, colour] of layers) {
        const cover = Math.min(1, Math.max(0, 0.5 - shape((px + 0.5) / scale, (py + 0.5) / scale) * scale));
        if (cover === 0) continue;
        if (colour === null) {
          a *= 1 - cover;
          continue;
        }
        const total = cover + a * (1 - cover);
        [r, g, b] = [r, g, b].map((below, i) => (colour[i] * cover + below * a * (1 - cover)) / total);
        a = total;
      }
      pixels.set([Math.round(r), Math.round(g), Math.round(b), Math.round(a * 255)], (py * size + px) * 4);
    }
  }
  return pixels;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});
const crc32 = (bytes) => (bytes.reduce((crc, byte) => crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

function png(size, pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits, RGBA
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let y = 0; y < size; y += 1) pixels.copy(rows, y * (size * 4 + 1) + 1, y * size * 4, (y + 1) * size * 4);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

const write = (name, size, layers) => fs.writeFileSync(path.join(FOLDER, name), png(size, draw(size, layers)));

fs.mkdirSync(FOLDER, { recursive: true });
write('app.png', 512, [[tile(1.2, 5.2), GREEN], [shrunk(mark(1.7), 0.62), CHALK]]);
for (const state of ['idle', ...Object.keys(BADGES)]) {
  // Electron picks the file whose scale fits the screen. Linux panels want 22, the Windows one 16.
  for (const [suffix, scale] of [['', 1], ['@2x', 2]]) {
    write(`tray-${state}${suffix}.png`, 22 * scale, trayLayers(state, false));
    write(`tray-${state}-small${suffix}.png`, 16 * scale, trayLayers(state, false));
    write(`tray-${state}-Template${suffix}.png`, 18 * scale, trayLayers(state, true));
  }
}
