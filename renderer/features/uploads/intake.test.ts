import { expect, test, vi } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { StagedFile } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { fail, failed, type Result } from '../../../shared/failure.ts';
import { type GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import { type IntakeState, noIntake } from './dropped-files.ts';
import { fileEntry, folderEntry } from './file-system.fixture.ts';
import { Intake } from './intake.ts';

type Add = OperationInput<'uploads.add'>;

const idOf = (number: number): string => number.toString(16).padStart(32, '0');

/** Stages each file under the number of its call, unless the test answers otherwise. */
class StagingBridge extends MemoryBridge {
  staged = 0;
  underWay = 0;
  most = 0;
  /** Asked for each file; what it gives is the answer. */
  answer: (name: string) => Promise<Failure | null> | Failure | null = () => null;

  override async stageFile(file: File): Promise<Result<StagedFile>> {
    this.staged += 1;
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    const staged = await super.stageFile(file);
    const failure = await this.answer(file.name);
    this.underWay -= 1;
    return failure === null ? staged : failed(failure);
  }

  get added(): Add[] {
    return this.inputsOf('uploads.add').map((input) => input as Add);
  }

  get ids(): string[] {
    return this.added.flatMap(({ files }) => files.map(({ id }) => id));
  }
}

function open(answers: GivenAnswers = {}) {
  const bridge = new StagingBridge(answers);
  let state: IntakeState = noIntake;
  const intake = new Intake(bridge, (next) => {
    state = next;
  });
  const isDone = () => vi.waitFor(() => expect(state.progress).toBeNull());
  const begun = () => vi.waitFor(() => expect(state.progress).not.toBeNull());
  return { bridge, intake, isDone, begun, state: () => state };
}

const file = (name: string, text = name): File => new File([text], name);

test('files are staged four at a time and added in drop order, whatever the order of answers', async () => {
  const { bridge, intake, isDone } = open();
  const waiting: (() => void)[] = [];
  bridge.answer = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(null));
    });
  intake.take(
    'lab',
    Array.from({ length: 10 }, (_, index) => file(`${index}`)),
  );
  for (let answered = 0; answered < 10; answered += 1) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    // The one that came last is answered first.
    waiting.pop()?.();
  }
  await vi.waitFor(() => expect(bridge.ids).toHaveLength(10));
  await isDone();
  expect(bridge.most).toBe(4);
  expect(bridge.ids).toEqual(Array.from({ length: 10 }, (_, index) => idOf(index + 1)));
});

test('each file is added with its parent folders, and a too long path keeps its end', async () => {
  const { bridge, intake } = open();
  intake.take('lab', [
    folderEntry('case', () => [fileEntry('a.js')]),
    folderEntry('d'.repeat(5000), () => [fileEntry('b.js')]),
    file('c.js'),
  ]);
  await vi.waitFor(() => expect(bridge.ids).toHaveLength(3));
  expect(bridge.added.flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
    'case',
    `…${'d'.repeat(4095)}`,
    '',
  ]);
});

test('many files are sent in calls of at most 500, one call at a time', async () => {
  let underWay = 0;
  let most = 0;
  const { bridge, intake, isDone } = open({
    'uploads.add': async ({ files }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
      underWay -= 1;
      return { ids: files.map((_, index) => index + 1) };
    },
  });
  intake.take(
    'lab',
    Array.from({ length: 1_234 }, (_, index) => file(`${index}`)),
  );
  await vi.waitFor(() => expect(bridge.ids).toHaveLength(1_234));
  await isDone();
  expect(bridge.ids).toEqual(Array.from({ length: 1_234 }, (_, index) => idOf(index + 1)));
  expect(Math.max(...bridge.added.map(({ files }) => files.length))).toBeLessThanOrEqual(500);
  expect(most).toBe(1);
});

test('pending files are counted, and the count is zero at the end', async () => {
  const { bridge, intake, begun, state } = open();
  const gate = Promise.withResolvers<null>();
  bridge.answer = (name) => (name === 'c' ? gate.promise : null);
  intake.take('lab', [file('a', 'four'), file('b', 'two'), file('c')]);
  await begun();
  await vi.waitFor(() => expect(state().progress).toEqual({ found: 3, isWalking: false, added: 2, bytes: 7 }));
  gate.resolve(null);
  await vi.waitFor(() => expect(state()).toEqual(noIntake));
});

test('a file that cannot be staged or opened is reported by its path, and the others continue', async () => {
  const { bridge, intake, isDone, state } = open();
  bridge.answer = (name) => (name === 'b' ? { kind: 'staged-file-missing', id: '' } : null);
  const gone = fileEntry('c', Object.assign(new Error('gone'), { name: 'NotFoundError' }));
  intake.take('lab', [file('a'), file('b'), folderEntry('case', () => [gone]), file('d')]);
  await vi.waitFor(() => expect(bridge.ids).toHaveLength(2));
  await isDone();
  await vi.waitFor(() => expect(state().refused.count).toBe(2));
  expect(state().refused.files).toEqual([
    { name: 'case/c', failure: { kind: 'file-unreadable', name: 'c', code: 'NotFoundError' } },
    { name: 'b', failure: { kind: 'staged-file-missing', id: '' } },
  ]);
  intake.dismissRefused();
  await vi.waitFor(() => expect(state()).toEqual(noIntake));
});

test('all refused files are counted, and the newest 200 are kept', async () => {
  const { bridge, intake, state } = open();
  bridge.answer = (name) => ({ kind: 'file-gone', name });
  intake.take(
    'lab',
    Array.from({ length: 250 }, (_, index) => file(`${index}`)),
  );
  await vi.waitFor(() => expect(state().refused.count).toBe(250));
  expect(state().refused.files.map(({ name }) => name)).toEqual(
    Array.from({ length: 200 }, (_, index) => `${249 - index}`),
  );
  expect(bridge.added).toEqual([]);
});

test('a lost host ends the intake, with the number of files not added', async () => {
  const { bridge, intake, isDone, state } = open();
  const gate = Promise.withResolvers<Failure>();
  bridge.answer = (name) => (name === '2' ? gate.promise : null);
  intake.take(
    'lab',
    Array.from({ length: 3 }, (_, index) => file(`${index}`)),
  );
  await vi.waitFor(() => expect(bridge.ids).toHaveLength(2));
  gate.resolve({ kind: 'host-gone' });
  await vi.waitFor(() => expect(state().halted).toEqual({ failure: { kind: 'host-gone' }, notTaken: 1 }));
  await isDone();
  expect(state().refused.count).toBe(0);
});

test('a full draft ends the intake, and the next drop starts a new one', async () => {
  let isFull = true;
  const { bridge, intake, isDone, state } = open({
    'uploads.add': ({ files }) =>
      isFull ? fail({ kind: 'draft-too-large', limit: 100_000 }) : { ids: files.map(() => 1) },
  });
  intake.take('lab', [file('a'), file('b')]);
  await vi.waitFor(() =>
    expect(state().halted).toEqual({ failure: { kind: 'draft-too-large', limit: 100_000 }, notTaken: 2 }),
  );
  await isDone();
  isFull = false;
  intake.take('lab', [file('c')]);
  await vi.waitFor(() => expect(bridge.added).toHaveLength(2));
  await vi.waitFor(() => expect(state()).toEqual(noIntake));
  expect(bridge.added.at(-1)?.files).toHaveLength(1);
});

test('nothing more is staged or added after a stop', async () => {
  const { bridge, intake, isDone, state } = open();
  const gate = Promise.withResolvers<null>();
  bridge.answer = () => gate.promise;
  intake.take(
    'lab',
    Array.from({ length: 20 }, (_, index) => file(`${index}`)),
  );
  await vi.waitFor(() => expect(bridge.staged).toBe(4));
  intake.stop();
  gate.resolve(null);
  await isDone();
  expect(bridge.staged).toBe(4);
  expect(bridge.added).toEqual([]);
  expect(state().halted).toBeNull();
});

test('each drop goes into the draft of the workspace that was current', async () => {
  const { bridge, intake, isDone } = open();
  const gate = Promise.withResolvers<null>();
  bridge.answer = () => gate.promise;
  intake.take('lab', [file('a'), file('b')]);
  intake.take('team', [file('c')]);
  intake.take('lab', [file('d')]);
  gate.resolve(null);
  await vi.waitFor(() => expect(bridge.ids).toHaveLength(4));
  await isDone();
  expect(bridge.added.map(({ workspaceId, files }) => [workspaceId, files.map(({ id }) => id)])).toEqual([
    ['lab', [idOf(1), idOf(2)]],
    ['team', [idOf(3)]],
    ['lab', [idOf(4)]],
  ]);
});

test('a drop of empty folders ends', async () => {
  const { bridge, intake, begun, isDone } = open();
  const gate = Promise.withResolvers<readonly FileSystemEntry[]>();
  const slow = folderEntry('slow', () => []);
  slow.createReader = () => ({ readEntries: (give) => void gate.promise.then((entries) => give([...entries])) });
  intake.take('lab', [slow]);
  await begun();
  gate.resolve([]);
  await isDone();
  expect(bridge.asked).toEqual([]);
});
