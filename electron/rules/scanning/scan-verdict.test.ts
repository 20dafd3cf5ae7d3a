import { expect, test } from 'vitest';
import { mostMatchData, mostMatchesShown } from '../../../shared/domain/scan.ts';
import { mostFound } from './scan-verdict.ts';

test('an engine reports as much of a string as Vitrine shows', () => {
  expect(mostFound).toMatchObject({ matchesOfOne: mostMatchesShown, data: mostMatchData });
});
