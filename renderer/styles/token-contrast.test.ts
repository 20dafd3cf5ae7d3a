import { describe, expect, test } from 'vitest';
import css from './tokens.css?raw';

/** The colours of one theme, by token name. */
function tokensOf(theme: 'light' | 'dark'): Map<string, string> {
  const block = new RegExp(`:root\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name ?? '', colour ?? '']),
  );
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const texts = [
  'fg',
  'fg-2',
  'fg-3',
  'accent',
  'ok',
  'warn',
  'bad',
  'sev-bad',
  'sev-unwanted',
  'sev-other',
  'sev-unset',
];
const grounds = ['chrome', 'surface', 'sunk', 'raised', 'hover', 'select'];
const pairs: [text: string, ground: string, least: number][] = [
  ...texts.flatMap((text) => grounds.map((ground): [string, string, number] => [text, ground, 4.5])),
  ...['chrome', 'surface', 'sunk', 'hover', 'select'].flatMap((ground) =>
    ['control', 'm-bad', 'm-unwanted', 'm-other'].map((mark): [string, string, number] => [mark, ground, 3]),
  ),
  ...['m-bad', 'm-unwanted', 'm-other'].map((mark): [string, string, number] => ['sev-on', mark, 4]),
  ...['fg', 'fg-2', 'fg-3'].flatMap((text) =>
    ['ok-tint', 'warn-tint', 'bad-tint'].map((ground): [string, string, number] => [text, ground, 4.5]),
  ),
  ['on-accent', 'accent-fill', 4.5],
  ['fg', 'accent-tint', 4.5],
  ['fg', 'ok-tint-2', 4.5],
  ['fg', 'bad-tint-2', 4.5],
  ['bad', 'bad-tint', 4.5],
  ['warn', 'warn-tint', 4.5],
  ['ok', 'ok-tint', 4.5],
  ...['fill-ok', 'fill-warn', 'fill-bad', 'b-text', 'b-code', 'b-high', 'b-ff'].map(
    (fill): [string, string, number] => [fill, 'surface', 3],
  ),
];

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const tokens = tokensOf(theme);

  test.each(pairs)('shows %s on %s with a contrast of %f to 1', (text, ground, least) => {
    const [front, back] = [tokens.get(text), tokens.get(ground)];
    // A token that is missing counts as no contrast at all.
    expect(front === undefined || back === undefined ? 0 : contrast(front, back)).toBeGreaterThanOrEqual(least);
  });
});

test('the contrast measure gives 21 to 1 for black on white', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
