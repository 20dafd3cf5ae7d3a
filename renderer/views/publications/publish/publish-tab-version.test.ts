import { expect, test } from 'vitest';
import { suggestedVersion } from './publish-tab.tsx';

const now = new Date('2026-11-18T23:30:00-05:00');

test('the day in UTC is the version', () => {
  expect(suggestedVersion([], now)).toBe('2026.11.19');
  expect(suggestedVersion(['2026.11.18', '1.4'], now)).toBe('2026.11.19');
});

test('a day that is taken gets the next free number', () => {
  expect(suggestedVersion(['2026.11.19'], now)).toBe('2026.11.19.2');
  expect(suggestedVersion(['2026.11.19.2', '2026.11.19', '2026.11.19.4'], now)).toBe('2026.11.19.3');
});
