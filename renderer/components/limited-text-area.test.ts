import { expect, test } from 'vitest';
import { directionOf } from './limited-text-area.tsx';

test('a text runs as its first letter does, whatever stands before it', () => {
  expect(directionOf('0x5c: שלום')).toBe('ltr');
  expect(directionOf('12. שלום, world')).toBe('rtl');
  expect(directionOf('مرحبا')).toBe('rtl');
  expect(directionOf('')).toBe('ltr');
  expect(directionOf('2026-11-18 …')).toBe('ltr');
});
