import { expect, test } from 'vitest';
import type { ShellCommand } from '../../shared/domain/host.ts';
import { NativeNotices } from './native-notices.ts';
import { emitter } from './stand-ins.fixture.ts';

function system() {
  const created: {
    words: { title: string; body: string };
    emit(name: string, ...rest: unknown[]): boolean;
    did: string[];
  }[] = [];
  const chosen: ShellCommand[] = [];
  const failures: string[] = [];
  const notices = new NativeNotices({
    create: (words) => {
      const did: string[] = [];
      const notification = emitter({
        did,
        words,
        show: () => void did.push('shown'),
        close: () => void did.push('closed'),
      });
      created.push(notification);
      return notification;
    },
    onChosen: (leadsTo) => chosen.push(leadsTo),
    onFailure: ({ message }) => failures.push(message),
  });
  const show = (id: number) =>
    notices.show({ kind: 'jobs', title: `Job ${id}`, body: 'Done.', leadsTo: { kind: 'open-job', id } });
  return { created, chosen, failures, show };
}

test('a notification says its words, and its click leads to what it is about', () => {
  const { created, chosen, show } = system();
  show(7);
  expect(created).toMatchObject([{ words: { title: 'Job 7', body: 'Done.' }, did: ['shown'] }]);
  created[0]?.emit('click');
  expect(chosen).toEqual([{ kind: 'open-job', id: 7 }]);
});

test('one that the system cannot show is told to the log', () => {
  const { created, failures, show } = system();
  show(7);
  created[0]?.emit('failed', {}, 'no shortcut');
  expect(failures).toEqual(['no shortcut']);
});

test('at most twenty stand; the oldest makes room, and those that are gone count no more', () => {
  const { created, show } = system();
  for (let id = 0; id < 20; id += 1) show(id);
  created[3]?.emit('close', { reason: 'userCanceled' });
  show(20);
  expect(created.filter(({ did }) => did.includes('closed'))).toEqual([]);
  show(21);
  expect(created.flatMap(({ did, words }) => (did.includes('closed') ? words.title : []))).toEqual(['Job 0']);
});

test('a notification that left the screen still counts and opens its job when clicked in the system list', () => {
  const { created, chosen, show } = system();
  for (let id = 0; id < 20; id += 1) show(id);
  for (const notification of created) notification.emit('close', { reason: 'timedOut' });
  show(20);
  expect(created.flatMap(({ did, words }) => (did.includes('closed') ? words.title : []))).toEqual(['Job 0']);
  created[7]?.emit('click');
  expect(chosen).toEqual([{ kind: 'open-job', id: 7 }]);
});
