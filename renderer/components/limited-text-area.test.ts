import { expect, test } from 'vitest';
import { directionOf } from './limited-text-area.tsx';

test('the text direction follows the first letter, whatever precedes it', () => {
  expect(directionOf('0x5c: שלום')).toBe('ltr');
  expect(directionOf('12. שלום, world')).toBe('rtl');
  expect(directionOf('مرحبا')).toBe('rtl');
  expect(directionOf('')).toBe('ltr');
  expect(directionOf('2026-11-18 …')).toBe('ltr');
});
