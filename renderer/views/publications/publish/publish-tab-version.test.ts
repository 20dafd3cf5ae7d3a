import { expect, test } from 'vitest';
import { suggestedVersion } from './publish-tab.tsx';

const now = new Date('2026-11-18T23:30:00-05:00');

test('the default version is the day in UTC', () => {
  expect(suggestedVersion([], now)).toBe('2026.11.19');
  expect(suggestedVersion(['2026.11.18', '1.4'], now)).toBe('2026.11.19');
});

test('a version of a used day gets the next free number', () => {
  expect(suggestedVersion(['2026.11.19'], now)).toBe('2026.11.19.2');
  expect(suggestedVersion(['2026.11.19.2', '2026.11.19', '2026.11.19.4'], now)).toBe('2026.11.19.3');
});
