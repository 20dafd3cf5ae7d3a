import { expect, test } from 'vitest';
import { asksForDesktop } from './desktop-runtime.ts';

test.each([[['--project', 'desktop']], [['-g', 'a title', '--project=desktop']]])('%j asks for the desktop', (args) => {
  expect(asksForDesktop(args)).toBe(true);
});

test.each([[[]], [['--project', 'web']], [['desktop']], [['-g', 'desktop']]])('%j does not', (args) => {
  expect(asksForDesktop(args)).toBe(false);
});
