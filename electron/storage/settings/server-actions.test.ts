import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actionsOf } from '../../../shared/domain/server-action.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { ServerActionStore } from './server-actions.ts';

let store: ServerActionStore;
const reopen = databaseForEachTest(({ db }) => void (store = new ServerActionStore(db)));
const at = { workspaceId: 'w-1', service: 'repository', baseUrl: 'https://files.example' } as const;
const stateOf = (place: Parameters<ServerActionStore['of']>[0], action = 'getfiles') =>
  store.of(place).find((one) => one.action === action);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 30, 10) }));
afterEach(() => vi.useRealTimers());

test('an action that nothing was seen of is unknown', () => {
  expect(store.of(at)).toEqual(
    actionsOf.repository.map((action) => ({ service: 'repository', action, state: 'unknown', seen: null })),
  );
});

test('what was seen of an action is known after a restart, with its time', () => {
  expect(store.note(at, 'getfiles', true)).toBe(true);
  expect(store.note(at, 'addcomment', false)).toBe(true);
  reopen();
  const seen = '2026-11-30T10:00:00.000Z';
  expect(stateOf(at)).toEqual({ service: 'repository', action: 'getfiles', state: 'answers', seen });
  expect(stateOf(at, 'addcomment')).toEqual({ service: 'repository', action: 'addcomment', state: 'absent', seen });
  expect(stateOf(at, 'getfile')?.state).toBe('unknown');
});

test('an action that is seen in another state is reported, and one in the same state is not', () => {
  expect(store.note(at, 'getfiles', true)).toBe(true);
  expect(store.note(at, 'getfiles', true)).toBe(false);
  expect(store.note(at, 'getfiles', false)).toBe(true);
  expect(stateOf(at)?.state).toBe('absent');
  reopen();
  expect(store.note(at, 'getfiles', false)).toBe(false);
});

test('the time of what is seen again is written again after an hour', () => {
  store.note(at, 'getfiles', true);
  vi.setSystemTime(Date.UTC(2026, 10, 30, 10, 59));
  expect(store.note(at, 'getfiles', true)).toBe(false);
  expect(stateOf(at)?.seen).toBe('2026-11-30T10:00:00.000Z');
  vi.setSystemTime(Date.UTC(2026, 10, 30, 11, 1));
  expect(store.note(at, 'getfiles', true)).toBe(false);
  expect(stateOf(at)?.seen).toBe('2026-11-30T11:01:00.000Z');
});

test('what was seen belongs to a workspace, a service and an address', () => {
  store.note(at, 'getfiles', true);
  expect(stateOf({ ...at, workspaceId: 'w-2' })?.state).toBe('unknown');
  expect(stateOf({ ...at, baseUrl: 'https://other.example' })?.state).toBe('unknown');
  expect(store.of({ ...at, service: 'rule-editor' }).every(({ state }) => state === 'unknown')).toBe(true);
});

test('an address that a workspace returns to is known again as soon as it answers', () => {
  const other = { ...at, baseUrl: 'https://other.example' };
  store.note(at, 'getfiles', true);
  store.note(other, 'getfiles', true);
  expect(stateOf(at)?.state).toBe('unknown');
  expect(store.note(at, 'getfiles', true)).toBe(true);
  expect(stateOf(at)?.state).toBe('answers');
});
