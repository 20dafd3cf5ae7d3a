import { QueryObserver } from '@tanstack/react-query';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultRuleOptions, type PublicationsState } from '../../shared/domain/publication.ts';
import type { WatchState } from '../../shared/domain/watch.ts';
import { failed, type Result, success } from '../../shared/failure.ts';
import type { Bridge } from '../../shared/transport.ts';
import { keepingAnswers } from './bridge-context.tsx';
import { valueOf } from './operations.ts';
import { createQueryClient } from './query-client.ts';

const key = ['watch.state', {}];
const idleWatch: WatchState = {
  folder: null,
  isOn: false,
  workspaceId: null,
  failure: null,
  leftAlone: 0,
  found: 0,
  files: [],
};
const noPackages: PublicationsState = {
  workspaceId: 'team',
  hasRuleEditor: true,
  rulesFrom: 'publications',
  packages: [],
  active: null,
  candidate: null,
  pinned: null,
  check: null,
  lastCheck: null,
  options: defaultRuleOptions,
  hasPassword: false,
};

/** A bridge whose answers are these. */
const answering = (answer: (name: string) => Result<unknown> | Promise<Result<unknown>>): Bridge<File> =>
  ({
    call: async (name: string) => answer(name),
    subscribe: () => () => {},
    stageFile: async () => failed({ kind: 'host-gone' }),
  }) as Bridge<File>;

/**
 * A host whose state is newer with each action: `found` counts them. The test decides when it reads its state, and when
 * its answers arrive.
 */
function openHeld() {
  let version = 0;
  const waiting: { look(): void; answer(): void }[] = [];
  const answer = (name: string): Promise<Result<WatchState>> => {
    const { promise, resolve } = Promise.withResolvers<Result<WatchState>>();
    let seen: WatchState | null = null;
    const look = (): void => void (seen ??= { ...idleWatch, found: (version += name === 'watch.state' ? 0 : 1) });
    waiting.push({
      look,
      answer: () => {
        look();
        resolve(success(seen ?? idleWatch));
      },
    });
    return promise;
  };
  const client = createQueryClient();
  const bridge = keepingAnswers(answering(answer), client);
  const shown: number[] = [];
  const observer = new QueryObserver<WatchState>(client, {
    queryKey: key,
    queryFn: () => valueOf(bridge.call('watch.state', {})),
  });
  const stop = observer.subscribe(({ data }) => void (data !== undefined && shown.push(data.found)));
  return { client, bridge, waiting, shown, stop, newest: () => version };
}

/** Until whatever was let has arrived. */
const arrived = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const step = fc.oneof(
  fc.constant({ kind: 'turn' as const }),
  fc.constant({ kind: 'clear' as const }),
  fc.constant({ kind: 'news' as const }),
  fc.record({ kind: fc.constantFrom('look' as const, 'answer' as const), at: fc.nat(5) }),
);

test('the shown state never becomes an older one and ends as the newest, in any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
      const { client, bridge, waiting, shown, stop, newest } = openHeld();
      for (const one of steps) {
        if (one.kind === 'turn') void bridge.call('watch.turn', { isOn: true, workspaceId: 'lab' });
        else if (one.kind === 'clear') void bridge.call('watch.clear', {});
        else if (one.kind === 'news') void client.invalidateQueries({ queryKey: key });
        else if (waiting.length > 0) waiting[one.at % waiting.length]?.[one.kind]();
        await arrived();
      }
      for (const each of waiting) {
        each.answer();
        await arrived();
      }
      stop();
      expect(shown).toEqual(shown.toSorted((one, other) => one - other));
      expect(shown.at(-1)).toBe(newest());
    }),
    { numRuns: 150 },
  );
});

test('the answer of an action is shown at once, without another read if nothing else arrived', async () => {
  const { bridge, waiting, shown, stop } = openHeld();
  await arrived();
  waiting[0]?.answer();
  await arrived();
  void bridge.call('watch.turn', { isOn: true, workspaceId: 'lab' });
  await arrived();
  waiting[1]?.answer();
  await arrived();
  stop();
  expect([shown.at(-1), waiting.length]).toEqual([1, 2]);
});

test('a call is answered once a state not older than it is known', async () => {
  const { client, bridge, waiting, shown, stop } = openHeld();
  await arrived();
  waiting[0]?.answer();
  await arrived();
  const asked = bridge.call('watch.turn', { isOn: true, workspaceId: 'lab' }).then(() => shown.at(-1));
  void client.invalidateQueries({ queryKey: key });
  await arrived();
  waiting[2]?.answer();
  await arrived();
  waiting[1]?.answer();
  await arrived();
  expect(shown.at(-1)).toBe(0);
  waiting[3]?.answer();
  expect(await asked).toBe(1);
  stop();
});

test('a failing action changes none of the known data', async () => {
  const client = createQueryClient();
  client.setQueryData(key, idleWatch);
  await keepingAnswers(
    answering(() => failed({ kind: 'host-gone' })),
    client,
  ).call('watch.clear', {});
  expect(client.getQueryData(key)).toBe(idleWatch);
});

test('each state an action returns is cached as its read, separately for each workspace', async () => {
  const client = createQueryClient();
  const bridge = keepingAnswers(
    answering((name) =>
      success(name === 'watch.chooseFolder' ? { isChosen: true, state: { ...idleWatch, folder: '/in' } } : noPackages),
    ),
    client,
  );
  await bridge.call('watch.chooseFolder', {});
  await bridge.call('publications.pin', { workspaceId: 'team', sha256: null });
  expect(client.getQueryData(key)).toEqual({ ...idleWatch, folder: '/in' });
  expect(client.getQueryData(['publications.state', { workspaceId: 'team' }])).toEqual(noPackages);
  expect(client.getQueryData(['publications.state', { workspaceId: 'lab' }])).toBeUndefined();
});
