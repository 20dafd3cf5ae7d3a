import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { WrongArguments } from '../../lab/command-line.ts';
import { isForTeam, readTeamArguments } from '../command-line.ts';

const servers = '--database postgres://lab@db/lab --blobs s3://s3.example.org/samples';
const at = { database: 'postgres://lab@db/lab', blobs: 's3://s3.example.org/samples' };
const read = (line: string) => readTeamArguments(line.split(' '));

test.each([
  ['move --data /d', { direction: 'to-team', directory: resolve('/d'), verifies: false }],
  ['move --data=/d --verify', { direction: 'to-team', directory: resolve('/d'), verifies: true }],
  ['move --verify --to back', { direction: 'to-folder', directory: resolve('back'), verifies: true }],
])('arguments "%s" are read', (line, task) => {
  expect(read(`${line} ${servers}`)).toEqual({ kind: 'move', ...task, ...at });
});

test.each([
  ['move', 'takes a folder'],
  ['move --data /d --to /e', 'takes a folder'],
  ['move --to=', 'takes a folder'],
  ['move --data /d more', '"more" is an extra argument'],
  ['move --data /d --quick', '--quick'],
])('arguments "%s" are refused', (line, words) => {
  expect(() => read(`${line} ${servers}`)).toThrow(WrongArguments);
  expect(() => read(`${line} ${servers}`)).toThrow(words);
});

test('a move without its servers is refused by what it lacks', () => {
  expect(isForTeam(['move', '--data', '/d'])).toBe(true);
  expect(() => read('move --data /d')).toThrow('--database takes');
  expect(() => read('move --data /d --database postgres://lab@db/lab')).toThrow('--blobs takes');
});
