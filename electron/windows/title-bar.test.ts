import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chromeColour, titleBar, titleBarColours } from './main-window.ts';

test.each(['win32', 'linux'] as const)(
  'on %s the command bar is the title bar: the controls lie over it, in its colours, above the line at its foot',
  (system) => {
    expect(titleBar(system, false)).toEqual({
      titleBarStyle: 'hidden',
      titleBarOverlay: { color: '#eef1f3', symbolColor: '#414d57', height: 39 },
    });
    expect(titleBar(system, true)).toMatchObject({ titleBarOverlay: { color: '#0f1214', symbolColor: '#b4bec6' } });
  },
);

test('on macOS the traffic lights stand in the middle of its height', () => {
  expect(titleBar('darwin', true)).toEqual({
    titleBarStyle: 'hidden',
    titleBarOverlay: { height: 40 },
    trafficLightPosition: { x: 13, y: 13 },
  });
});

test.each(['light', 'dark'] as const)('the colours are those of the page in the %s theme', (theme) => {
  const css = readFileSync(new URL('../../renderer/styles/tokens.css', import.meta.url), 'utf8');
  const block = new RegExp(`:root\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  const token = (name: string): string | undefined => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)?.[1];
  const isDark = theme === 'dark';
  expect([chromeColour(isDark), titleBarColours(isDark)]).toEqual([
    token('chrome'),
    { color: token('chrome'), symbolColor: token('fg-2'), height: 39 },
  ]);
});
