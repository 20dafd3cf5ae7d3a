import { expect, test } from 'vitest';
import { type ConnectionTest, foundActions, isUsable, type WorkspaceActions } from './server-action.ts';

const known = (getfile: 'answers' | 'absent' | 'unknown'): WorkspaceActions => ({
  mayUse: true,
  actions: [
    { service: 'repository', action: 'getfile', state: getfile, seen: null },
    { service: 'repository', action: 'updatefile', state: 'answers', seen: null },
  ],
});

test('changes to records are usable unless the repository is known to give no records', () => {
  expect(isUsable(known('answers'), 'updatefile')).toBe(true);
  expect(isUsable(known('unknown'), 'updatefile')).toBe(true);
  expect(isUsable(known('absent'), 'updatefile')).toBe(false);
});

test('an optional action is usable only if the workspace allows it and the server has answered it', () => {
  expect(isUsable({ ...known('answers'), mayUse: false }, 'updatefile')).toBe(false);
  expect(isUsable(known('answers'), 'getfiles')).toBe(false);
  expect(isUsable(known('answers'), 'downloadfile')).toBe(true);
});

/** As release 3.4 of the repository answers, which changes records and does not read them. */
const old: ConnectionTest['actions'] = [
  { action: 'getfile', answers: false },
  { action: 'downloadfile', answers: true },
  { action: 'getfiles', answers: true },
  { action: 'updatefile', answers: true },
];

test('a server that changes records and cannot read them is not shown as usable for changes', () => {
  expect(foundActions(old, true)).toEqual({
    usable: ['downloadfile', 'getfiles'],
    turnedOff: [],
    missing: ['getfile', 'updatefile'],
  });
});

test('optional actions are turned off where the workspace does not allow them, and missing ones stay missing', () => {
  expect(foundActions(old, false)).toEqual({
    usable: ['downloadfile'],
    turnedOff: ['getfiles'],
    missing: ['getfile', 'updatefile'],
  });
});
