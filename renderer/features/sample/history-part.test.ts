import { expect, test } from 'vitest';
import { directionOf, historyWords, placeOf } from './history-part.tsx';

test('a row never claims more than its outcome', () => {
  expect(historyWords({ operation: 'download', outcome: 'done' })).toEqual({ what: 'Downloaded', aside: '' });
  expect(historyWords({ operation: 'download', outcome: 'already-here' })).toEqual({
    what: 'Download: already here',
    aside: '',
  });
  expect(historyWords({ operation: 'look-up', outcome: 'unknown-hash' })).toEqual({
    what: 'Look-up: unknown hash',
    aside: '',
  });
});

test.each([
  ['look-up', {}, 'from', 'from Lab'],
  ['download', { sizeBytes: 4 }, 'from', 'from Lab'],
  ['upload', { tlp: null }, 'to', 'to Lab'],
  ['comment', {}, 'to', 'to Lab'],
  ['export', { to: 'folder' }, 'to', 'to the export folder'],
  ['export', { to: 'browser' }, 'to', 'to a browser download'],
  ['scan', { local: 'wasm, scanned, 3 hits' }, 'here', null],
  ['scan', { service: 'rule editor, scanned, 3 hits' }, 'to', 'by Lab'],
  ['scan', { receiver: 'rules.example' }, 'to', 'by rules.example'],
  ['record-change', { receiver: 'samples.example', parts: 'comment' }, 'to', 'at Lab'],
  ['forget', {}, 'here', null],
] as const)('a history row of %s with %j has the right direction and place', (operation, detail, direction, place) => {
  expect(directionOf({ operation, outcome: 'done', detail })).toBe(direction);
  expect(placeOf({ operation, outcome: 'done', detail }, 'Lab')).toBe(place);
});

test.each([
  ['download', 'already-here'],
  ['download', 'transfer-cut'],
  ['look-up', 'unknown-hash'],
] as const)('a %s that ended as %s brought nothing', (operation, outcome) => {
  expect(directionOf({ operation, outcome, detail: {} })).toBe('here');
  expect(placeOf({ operation, outcome, detail: {} }, 'Lab')).toBeNull();
});

test('a row without a workspace names no service', () => {
  expect(placeOf({ operation: 'download', outcome: 'done', detail: {} }, null)).toBeNull();
});

test('a sample sent to a service for a scan counts as having left this computer, whatever its outcome', () => {
  const row = { operation: 'scan', outcome: 'sending', detail: { receiver: 'rules.example' } } as const;
  expect(historyWords(row)).toEqual({ what: 'Sent for a scan', aside: '' });
  expect(placeOf(row, 'Lab')).toBe('to rules.example');
});
