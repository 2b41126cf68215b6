/** Results of every kind and size, and calls that take their time. */
import { echo, notify, serve, text } from './peer.mjs';

const MIB = 1_048_576;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>globalThis.svgRan = true</script></svg>';
const base64 = (value) => Buffer.from(value).toString('base64');
const image = (data, mimeType) => ({ content: [{ type: 'image', data, mimeType }] });
const embedded = (resource) => ({ content: [{ type: 'resource', resource }] });

/** `ten` answers with 10 MiB, `sixty` with 60 MiB and `seventy` with 70 MiB, in one message each. */
export function hugeFrame() {
  serve({ tools: { echo, ten: { run: () => text('x'.repeat(10 * MIB)) }, sixty: { run: () => text(`${'0123456789abcde'.repeat(64)}\n`.repeat(65_468)) }, seventy: { run: () => text('x'.repeat(70 * MIB)) } } });
}

const RESULTS = {
  text: text('plain text'),
  image: image(PNG, 'image/png'),
  large_image: image(base64(Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(6 * MIB)])), 'image/png'),
  svg_image: image(base64(SVG), 'image/svg+xml'),
  audio: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  blob_of_text: embedded({ uri: 'repo:///a.cs', mimeType: 'text/plain', blob: 'Y2xhc3MgQXt9' }),
  blob_without_mime: embedded({ uri: 'repo:///a.bin', blob: 'AAAA' }),
  blob_with_evil_name: embedded({ uri: 'file:///../../evil\u0000.sh', mimeType: 'application/octet-stream', blob: 'AAAA' }),
  resource_text: embedded({ uri: 'repo:///b.md', mimeType: 'text/markdown', text: '# B' }),
  resource_empty_text: embedded({ uri: 'repo:///empty.txt', mimeType: 'text/plain', text: '' }),
  resource_link: { content: [{ type: 'resource_link', uri: 'doc://105', name: 'report' }] },
  structured_only: { content: [], structuredContent: { answer: 42 } },
  structured_falsy: { content: [{ type: 'text', text: '  ' }], structuredContent: [] },
  structured_and_text: { content: [{ type: 'text', text: '{"answer":42}' }], structuredContent: { answer: 42 } },
  structured_without_content: { structuredContent: { answer: 42 } },
  empty: { content: [] },
  tool_error: { ...text('The row is locked.'), isError: true },
  long_text: text('0123456789'.repeat(31_800)),
  ansi_bidi: text([
    '\u001b[31mred\u001b[0m', '\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007', 'abc\u202Egnp.exe\u202C',
    'zero\u200Bwidth', '\u0000nul', '\u2066x\u2069',
  ].join(' ')),
  unknown_kind: { content: [{ type: 'hologram', data: 'x' }, { type: 'text', text: 'and text' }] },
};

/** One tool for each kind of result, named after it, and the resource behind the link. */
export function results() {
  serve({
    capabilities: { tools: {}, resources: {} },
    tools: Object.fromEntries(Object.entries(RESULTS).map(([name, result]) => [name, { run: () => result }])),
    methods: {
      'resources/list': () => ({ resources: [{ uri: 'doc://105', name: 'report', mimeType: 'text/plain' }] }),
      'resources/read': ({ uri }) => {
        if (uri !== 'doc://105') throw Object.assign(new Error('Resource not found'), { code: -32002 });
        return { contents: [{ uri, mimeType: 'text/plain', text: 'the report' }] };
      },
    },
  });
}

/**
 * `wait {ms = 30000, stubborn = false}` answers after `ms`; when cancelled not at all, or all the same if `stubborn`.
 * `work {ms, every}` reports progress every `every` ms until `ms`. `was_cancelled` tells of the waits: how many started,
 * which request ids were cancelled, and how many still wait.
 */
export function slow() {
  const waiting = new Map();
  const cancelled = [];
  let started = 0;
  const number = { type: 'number' };
  serve({
    tools: {
      echo,
      wait: {
        about: { inputSchema: { type: 'object', properties: { ms: number, stubborn: { type: 'boolean' } } } },
        run: ({ ms = 30_000, stubborn = false }, { id }) => new Promise((resolve) => {
          started += 1;
          const end = (result) => {
            clearTimeout(timer);
            waiting.delete(id);
            resolve(result);
          };
          const timer = setTimeout(() => end(text('waited')), ms);
          waiting.set(id, () => stubborn || end(undefined));
        }),
      },
      work: {
        about: { inputSchema: { type: 'object', properties: { ms: number, every: number } } },
        run: ({ ms = 1_000, every = 100 }, { params }) => new Promise((resolve) => {
          const progressToken = params._meta?.progressToken;
          let progress = 0;
          const timer = setInterval(() => {
            progress += every;
            const message = `${progress} of ${ms} ms`;
            if (progressToken !== undefined) notify('notifications/progress', { progressToken, progress, total: ms, message });
            if (progress < ms) return;
            clearInterval(timer);
            resolve(text('worked'));
          }, every);
        }),
      },
      was_cancelled: {
        run: () => {
          const structuredContent = { cancelled, started, waiting: waiting.size };
          return { ...text(JSON.stringify(structuredContent)), structuredContent };
        },
      },
    },
    methods: {
      'notifications/cancelled': ({ requestId }) => {
        cancelled.push(requestId);
        waiting.get(requestId)?.();
      },
    },
  });
}
