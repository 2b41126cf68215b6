import { expect, it } from 'vitest';
import { isTrustedSender } from './trusted-sender.ts';

interface Frame {
  readonly parent: Frame | null;
  readonly url: string;
  readonly origin: string;
}
const ours = new Set(['app://gatehouse']);
const windows = new Set([7]);
const top: Frame = { parent: null, url: 'app://gatehouse/index.html#/chat', origin: 'app://gatehouse' };
const trusted = (frame: Frame | null, mainFrame: Frame = frame ?? top, id = 7): boolean =>
  isTrustedSender({ senderFrame: frame, sender: { id, mainFrame } } as never, windows, ours); // as much of an event as is read

it('trusts the top frame of our window on our page', () => {
  expect(trusted(top)).toBe(true);
});

it.each<[string, Frame | null, Frame?, number?]>([
  ['a frame that is gone', null],
  ['a frame inside our page', { ...top, parent: top }, top],
  ['a frame that is no longer the page', { ...top }, top],
  ['a window that is not ours', top, top, 8],
  ['another host of our scheme', { ...top, url: 'app://other/index.html', origin: 'app://other' }],
  ['another scheme with our host', { ...top, url: 'content://gatehouse/', origin: 'content://gatehouse' }],
  ['a web page', { ...top, url: 'https://gatehouse/', origin: 'https://gatehouse' }],
  ['a web page that names us', { ...top, url: 'https://evil.example/app://gatehouse/', origin: 'https://evil.example' }],
  ['a blank page that was opened from ours', { ...top, url: 'about:blank' }],
  ['our page in a sandbox', { ...top, origin: 'null' }],
  ['an address that is none', { ...top, url: '' }],
])('does not trust %s', (_name, frame, mainFrame, id) => {
  expect(trusted(frame, mainFrame, id)).toBe(false);
});

it('does not trust a frame that cannot be read any more', () => {
  const gone = { get parent(): never { throw new Error('Render frame was disposed'); } };
  expect(trusted(gone as never)).toBe(false);
});
