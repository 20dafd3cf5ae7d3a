import { expect, test } from 'vitest';
import { isUsable, type WorkspaceActions } from './server-action.ts';

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
