import { expect, test } from 'vitest';
import { claimSingleInstance, handleStartArguments, silentFirstMessage } from './single-instance.ts';
import { emitter, preventable } from './stand-ins.fixture.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';

function start(isFirst: boolean) {
  const happened: string[] = [];
  const app = emitter({ requestSingleInstanceLock: () => isFirst });
  const claimed = claimSingleInstance(app, {
    onWanted: () => happened.push('shown'),
    onDeepLink: (link) => happened.push(link),
    onView: (room) => happened.push(room),
  });
  return { app, happened, claimed };
}

test('the first start goes on; a second shows its window', () => {
  const { app, happened, claimed } = start(true);
  app.emit('second-instance', {}, ['electron', '.']);
  expect({ claimed, happened }).toEqual({ claimed: true, happened: ['shown'] });
});

test('a second start hands its link over', () => {
  const { app, happened } = start(true);
  app.emit('second-instance', {}, ['electron', '.', `vitrine:${md5}`]);
  expect(happened).toEqual(['shown', md5]);
});

test('a second start from a shortcut hands its room over', () => {
  const { app, happened } = start(true);
  app.emit('second-instance', {}, ['vitrine', '--room=scan']);
  expect(happened).toEqual(['shown', 'scan']);
});

test.each([
  [['vitrine', '--', `vitrine:${md5}`], [md5]],
  [['vitrine', '--room=library'], ['library']],
  [['vitrine', '--room=library', `vitrine:${md5}`], [md5]],
  [['vitrine', '--room=welcome'], []],
  [['vitrine', '--', 'vitrine:x', '--room=library'], []],
  [['vitrine', '--move-data-to=/disk/desk', '--restarted'], []],
  [['vitrine'], []],
])('started with %j, it is for %j', (args, expected) => {
  const happened: string[] = [];
  handleStartArguments(args, { onDeepLink: (link) => happened.push(link), onView: (room) => happened.push(room) });
  expect(happened).toEqual(expected);
});

test('macOS hands a link to the running program, which shows itself; one of another shape is dropped', () => {
  const { app, happened } = start(true);
  const events = [preventable({}), preventable({})];
  app.emit('open-url', events[0], `vitrine:${md5}`);
  app.emit('open-url', events[1], 'vitrine:settings');
  expect(happened).toEqual(['shown', md5]);
  expect(events.map(({ wasPrevented }) => wasPrevented)).toEqual([true, true]);
});

test('a second start ends, and listens to nothing', () => {
  const { app, claimed } = start(false);
  expect([claimed, app.eventNames()]).toEqual([false, []]);
});

test('the words for a first program that does not answer name its process where it is known', () => {
  expect(silentFirstMessage(4711).then).toBe('End process 4711 and start Vitrine again. Saved data is safe.');
  expect(silentFirstMessage(null).then).toMatch(/^End it /);
});
