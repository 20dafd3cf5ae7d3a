import { expect, test } from 'vitest';
import { unreadStagedFailure, unreadStagedOf } from './staged-bytes.ts';

test.each([
  ['changed', { kind: 'file-changed', name: 'a.exe' }],
  ['damaged', { kind: 'file-gone', name: 'a.exe' }],
  ['ENOENT', { kind: 'file-gone', name: 'a.exe' }],
  ['ENOTDIR', { kind: 'file-gone', name: 'a.exe' }],
  ['EACCES', { kind: 'file-unreadable', name: 'a.exe', code: 'EACCES' }],
])('a staged file with the error %s becomes the matching failure', (said, failure) => {
  expect(unreadStagedFailure('a.exe', unreadStagedOf(said))).toEqual(failure);
});
