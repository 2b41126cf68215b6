import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const tokens = new Map([...css.matchAll(/--([\w-]+):\s*light-dark\((#\w+),\s*(#\w+)\)/g)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]));

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const luminance = (hex: string): number => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
const contrast = (one: string, other: string): number => {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
};
const surfaces = ['ground', 'pane', 'card', 'sunken'];
const texts = [
  ...['ink', 'ink-2', 'ink-3', 'accent', 'ask', 'ok', 'bad', 'code-keyword', 'code-string', 'code-number', 'code-name', 'code-quiet'].flatMap((ink) => surfaces.map((surface) => [ink, surface] as const)),
  ['ask', 'ask-soft'], ['ok', 'ok-soft'], ['bad', 'bad-soft'], ['accent', 'accent-soft'], ['accent-ink', 'accent'], ['accent-ink', 'accent-strong'], ['ink', 'accent-soft'], ['ink-2', 'ask-soft'], ['ink-2', 'bad-soft'],
] as const;

describe.each(['light', 'dark'] as const)('colours in the %s theme', (theme) => {
  const colour = (name: string): string => {
    const found = tokens.get(name)?.[theme];
    if (found === undefined) throw new Error(`no token --${name}`);
    return found;
  };

  it.each(texts)('reads --%s on --%s with the contrast of WCAG AA', (ink, surface) => {
    expect(contrast(colour(ink), colour(surface))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['line-field', 'accent'].flatMap((line) => ['pane', 'card'].map((surface) => [line, surface] as const)))('tells --%s from --%s, as borders of controls and focus rings must be', (line, surface) => {
    expect(contrast(colour(line), colour(surface))).toBeGreaterThanOrEqual(3);
  });
});
