import type { LibraryRow } from '../../../shared/domain/library.ts';

/** The row of a sample that has a number of its own. */
export function rowOf(number: number, change: Partial<LibraryRow> = {}): LibraryRow {
  const sha256 = number.toString(16).padStart(64, '0');
  return {
    hash: sha256,
    sha256,
    sha1: number.toString(16).padStart(40, '0'),
    md5: number.toString(16).padStart(32, '0'),
    name: `sample-${number}.exe`,
    sizeBytes: 1000 + number,
    type: 'pe64 exe',
    tags: [],
    serviceTags: [],
    tlp: null,
    isRecorded: true,
    threat: null,
    severity: null,
    hits: 0,
    comments: 0,
    hasNote: false,
    vault: 'held',
    firstSeen: '2026-11-09T07:40:00.000Z',
    lastSeen: '2026-11-18T14:21:00.000Z',
    ...change,
  };
}
