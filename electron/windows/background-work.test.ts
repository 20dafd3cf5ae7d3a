import { expect, test } from 'vitest';
import {
  activityLines,
  type BackgroundWork,
  closeQuestion,
  endsWithProgram,
  keepAwake,
  quitQuestion,
} from './background-work.ts';

const idle: BackgroundWork = { jobs: 0, watchedFolder: null, checksRules: false };
const busy: BackgroundWork = { jobs: 3, watchedFolder: '/home/ana/cases/acme/Inbox', checksRules: true };

test.each([
  [idle, false],
  [{ ...idle, jobs: 1 }, true],
  [{ ...idle, watchedFolder: '/in' }, true],
  [{ ...idle, checksRules: true }, true],
])('the work %j ends something with the program: %s', (work, ends) => {
  expect(endsWithProgram(work)).toBe(ends);
});

test('the tray counts the running work and names no folder', () => {
  expect(activityLines(busy)).toEqual(['3 jobs running', 'Watching a folder', 'Rule update checks are on']);
  expect([activityLines({ ...idle, jobs: 1 }), activityLines(idle)]).toEqual([['1 job running'], ['Nothing running']]);
});

test('the quit dialog lists the work that ends, with only the name of the folder', () => {
  const { message, detail } = closeQuestion({ ...busy, jobs: 0 }, true);
  expect([message, detail]).toEqual([
    'Quit Vitrine?',
    'While Vitrine is closed: New files in “Inbox” are not scanned. Rule updates are not checked.\n' +
      'You can turn off this question in Settings > Appearance.',
  ]);
  expect(closeQuestion(busy, true)).toMatchObject({
    message: '3 jobs are still running. Quit Vitrine?',
    detail:
      'Finished items are kept. Running jobs stop and can be resumed.\n' +
      'While Vitrine is closed: New files in “Inbox” are not scanned. Rule updates are not checked.\n' +
      'You can turn off this question in Settings > Appearance.',
  });
  expect(closeQuestion({ ...idle, jobs: 1 }, true).detail).not.toContain('While');
});

test.each([
  ['D:\\cases\\acme\\Inbox\\', 'Inbox'],
  ['/in/', 'in'],
  ['D:\\', 'D:'],
  ['/', '/'],
])('the watched folder %s is called %s', (watchedFolder, name) => {
  expect(closeQuestion({ ...idle, watchedFolder }, true).detail).toContain(`“${name}”`);
});

test.each([
  [true, 'Keep running in the tray'],
  [false, 'Keep running, minimized'],
])('the quit dialog offers to continue, with a tray: %s', (tray, button) => {
  const { buttons, answers, defaultId, cancelId } = closeQuestion(busy, tray);
  expect(buttons).toEqual(['Cancel', button, 'Quit']);
  expect([answers, answers[defaultId], answers[cancelId]]).toEqual([['cancel', 'stay', 'quit'], 'stay', 'cancel']);
});

test('the quit dialog counts jobs, lists what else ends, and maps Enter and Escape to the safe button', () => {
  expect(quitQuestion({ ...idle, jobs: 1 }).message).toMatch(/^One job is/);
  expect(quitQuestion(busy).message).toMatch(/^3 jobs are/);
  expect(quitQuestion(busy).detail).toContain('New files in “Inbox” are not scanned.');
  const { buttons, defaultId, cancelId } = quitQuestion(busy);
  expect([buttons[defaultId], buttons[cancelId]]).toEqual(['Keep running', 'Keep running']);
});

test('each hold is independent, and releasing it twice has the effect of once', () => {
  const calls: string[] = [];
  let next = 0;
  const power = {
    start: (type: string) => {
      calls.push(`start ${type}`);
      return next++;
    },
    stop: (id: number) => {
      calls.push(`stop ${id}`);
      return true;
    },
  };
  const first = keepAwake(power);
  const second = keepAwake(power);
  first();
  first();
  second();
  expect(calls).toEqual(['start prevent-app-suspension', 'start prevent-app-suspension', 'stop 0', 'stop 1']);
});
