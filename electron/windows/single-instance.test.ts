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
    onView: (view) => happened.push(view),
  });
  return { app, happened, claimed };
}

test('the first start continues, and a second shows its window', () => {
  const { app, happened, claimed } = start(true);
  app.emit('second-instance', {}, ['electron', '.']);
  expect({ claimed, happened }).toEqual({ claimed: true, happened: ['shown'] });
});

test('a second start passes its link on', () => {
  const { app, happened } = start(true);
  app.emit('second-instance', {}, ['electron', '.', `vitrine:${md5}`]);
  expect(happened).toEqual(['shown', md5]);
});

test('a second start from a shortcut passes its view on', () => {
  const { app, happened } = start(true);
  app.emit('second-instance', {}, ['vitrine', '--view=scan']);
  expect(happened).toEqual(['shown', 'scan']);
});

test.each([
  [['vitrine', '--', `vitrine:${md5}`], [md5]],
  [['vitrine', '--view=library'], ['library']],
  [['vitrine', '--view=library', `vitrine:${md5}`], [md5]],
  [['vitrine', '--view=welcome'], []],
  [['vitrine', '--', 'vitrine:x', '--view=library'], []],
  [['vitrine', '--move-data-to=/disk/desk', '--restarted'], []],
  [['vitrine'], []],
])('a start with %j produces %j', (args, expected) => {
  const happened: string[] = [];
  handleStartArguments(args, { onDeepLink: (link) => happened.push(link), onView: (view) => happened.push(view) });
  expect(happened).toEqual(expected);
});

test('macOS passes a link to the running program, which shows itself, and drops one of another shape', () => {
  const { app, happened } = start(true);
  const events = [preventable({}), preventable({})];
  app.emit('open-url', events[0], `vitrine:${md5}`);
  app.emit('open-url', events[1], 'vitrine:settings');
  expect(happened).toEqual(['shown', md5]);
  expect(events.map(({ wasPrevented }) => wasPrevented)).toEqual([true, true]);
});

test('a second start ends and listens to nothing', () => {
  const { app, claimed } = start(false);
  expect([claimed, app.eventNames()]).toEqual([false, []]);
});

test('the message for a first program that does not answer names its process if known', () => {
  expect(silentFirstMessage(4711).then).toBe('End process 4711 and start Vitrine again. Saved data is safe.');
  expect(silentFirstMessage(null).then).toMatch(/^End it /);
});
