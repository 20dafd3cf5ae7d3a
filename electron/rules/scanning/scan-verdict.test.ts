import { expect, test } from 'vitest';
import { mostMatchData, mostMatchesShown } from '../../../shared/domain/scan.ts';
import { mostFound } from './scan-verdict.ts';

test('an engine tells as much of a string as is shown of it', () => {
  expect(mostFound).toMatchObject({ matchesOfOne: mostMatchesShown, data: mostMatchData });
});
