import { expect, test } from 'vitest';
import { saidOfFiles } from './upload-recorder.ts';

const [a, b, c] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];
const accepted = { kind: 'accepted' };

test('items are matched by MD5, whatever their order and number', () => {
  const said = saidOfFiles([a, b], {
    items: [
      { md5: c, error: null },
      { md5: b, error: null },
      { md5: a, error: null },
    ],
  });
  expect([...said]).toEqual([
    [a, accepted],
    [b, accepted],
  ]);
});

test('a file missing in the reply has no outcome from it', () => {
  expect(saidOfFiles([a, b], { items: [{ md5: a, error: null }] }).get(b)).toEqual({ kind: 'silent' });
});

test('the text of an item with its MD5 belongs to that file alone', () => {
  const said = saidOfFiles([a, b], {
    items: [
      { md5: a, error: 'File is already uploaded' },
      { md5: b, error: null },
    ],
  });
  expect([...said]).toEqual([
    [a, { kind: 'refused', words: 'File is already uploaded' }],
    [b, accepted],
  ]);
});

test('text without an MD5 belongs to every unnamed file, as its file is unknown', () => {
  const said = saidOfFiles([a, b, c], {
    items: [
      { md5: null, error: 'File is too small' },
      { md5: b, error: null },
      { md5: null, error: 'No right' },
      { md5: null, error: 'No right' },
    ],
  });
  expect([...said]).toEqual([
    [a, { kind: 'refused', words: 'File is too small · No right' }],
    [b, accepted],
    [c, { kind: 'refused', words: 'File is too small · No right' }],
  ]);
});

test('a reply that contradicts itself is certain only in a refusal', () => {
  const said = saidOfFiles([a, b, c], {
    items: [
      { md5: a, error: null },
      { md5: b, error: 'No right' },
    ],
    lacksSome: true,
  });
  expect([...said.values()]).toEqual([
    { kind: 'doubtful' },
    { kind: 'refused', words: 'No right' },
    { kind: 'silent' },
  ]);
});

test('a file accepted once counts as accepted: the same bytes arrived twice', () => {
  expect(
    saidOfFiles([a], {
      items: [
        { md5: a, error: null },
        { md5: a, error: 'File is already uploaded' },
      ],
    }).get(a),
  ).toEqual(accepted);
});
