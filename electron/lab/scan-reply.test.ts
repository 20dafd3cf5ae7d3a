import { expect, test } from 'vitest';
import type { StoredPublication } from './stores/metadata-store.ts';
import { scanReply } from './publication-scanner.ts';

const publication: StoredPublication = {
  id: 'p',
  version: '1',
  group: 'Release',
  published: '2026-01-01T00:00:00.000Z',
  files: 1,
  rules: 2,
  sha256: '0'.repeat(64),
  sizeBytes: 1,
  place: 'a',
};

test('a reply names the rules that did not run, so their missing matches do not read as no hits', () => {
  expect(scanReply(publication, { found: [], facts: [], leftOut: ['endless'] })).toEqual({
    publication: { id: 'p', version: '1', group: 'Release' },
    matches: [],
    left_out: ['endless'],
  });
  expect(scanReply(publication, { found: [], facts: [], leftOut: [] })).not.toHaveProperty('left_out');
});
