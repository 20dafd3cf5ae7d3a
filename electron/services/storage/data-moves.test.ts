import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid, platform as system } from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { canMountDisks, smallDisk } from '../../base/small-disk.fixture.ts';
import { moveData } from '../../storage/directory/move-data.ts';
import { DataMoves, type DataMovesOptions } from './data-moves.ts';

let folder: string;
let data: string;
let target: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-moves-')));
  [data, target] = [join(folder, 'Vitrine'), join(folder, 'disk', 'desk')];
  mkdirSync(join(data, 'vault'), { recursive: true });
  writeFileSync(join(data, 'vitrine.db'), 'x'.repeat(5_000));
  writeFileSync(join(data, 'vault', 'one'), 'x'.repeat(1_000));
  writeFileSync(join(data, 'lock.db'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A desktop on which that folder is chosen. */
function setup(chosen: string | null, change: Partial<DataMovesOptions['platform']> = {}) {
  const restarts: (readonly string[])[] = [];
  const asked: string[] = [];
  const platform: DataMovesOptions['platform'] = {
    dataDirectory: data,
    namedDirectory: null,
    chooseFolder: async (purpose) => {
      asked.push(purpose);
      return chosen;
    },
    restart: (args) => restarts.push(args),
    ...change,
  };
  return { moves: new DataMoves({ platform }), restarts, asked };
}

async function refusal(work: () => unknown): Promise<unknown> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  return error instanceof FailureError ? error.failure : error;
}
const notChosen = { kind: 'move-refused', path: expect.any(String), reason: 'not-chosen' };

test('the plan names the copied data and its target, writes nothing, and the restart uses that folder', async () => {
  const { moves, restarts, asked } = setup(target);
  expect(await moves.plan()).toEqual({ from: data, to: target, bytes: 6_000, files: 2 });
  expect([asked, restarts, existsSync(join(folder, 'disk'))]).toEqual([['data'], [], false]);
  moves.move();
  expect(restarts).toEqual([[`--move-data-to=${target}`]]);
});

test('a closed dialog moves nothing, not even by an earlier choice', async () => {
  let chosen: string | null = target;
  const { moves, restarts } = setup(null, { chooseFolder: async () => chosen });
  await moves.plan();
  chosen = null;
  expect(await moves.plan()).toBeNull();
  expect(await refusal(() => moves.move())).toEqual(notChosen);
  expect(restarts).toEqual([]);
});

test('a refused folder is not moved to', async () => {
  let chosen = target;
  const { moves } = setup(null, { chooseFolder: async () => chosen });
  await moves.plan();
  chosen = data;
  expect(await refusal(() => moves.plan())).toEqual({ kind: 'move-refused', path: data, reason: 'same' });
  expect(await refusal(() => moves.move())).toEqual(notChosen);
});

test('nothing is moved when no one can restart Vitrine', async () => {
  const { moves } = setup(target, { restart: null });
  await moves.plan();
  expect(await refusal(() => moves.move())).toEqual(notChosen);
});

test('Vitrine with a named data folder opens no folder dialog', async () => {
  const { moves, asked } = setup(target, { namedDirectory: data });
  expect(await refusal(() => moves.plan())).toEqual({ kind: 'move-refused', path: data, reason: 'named' });
  expect(asked).toEqual([]);
});

test('the plan is refused for the reasons that would refuse the move', async () => {
  mkdirSync(target, { recursive: true });
  expect(await setup(target).moves.plan()).toMatchObject({ to: target });
  writeFileSync(join(target, 'mine'), 'mine');
  expect(await refusal(() => setup(target).moves.plan())).toMatchObject({ reason: 'not-empty' });
  expect(await refusal(() => setup(join(data, 'new')).moves.plan())).toMatchObject({ reason: 'inside' });
  expect(await refusal(() => setup(join(target, 'mine', 'new')).moves.plan())).toMatchObject({
    kind: 'not-writable',
    code: 'ENOTDIR',
  });
  symlinkSync(folder, join(data, 'vault', 'linked'), 'junction');
  expect(await refusal(() => setup(join(folder, 'new')).moves.plan())).toEqual({
    kind: 'move-refused',
    path: join(data, 'vault', 'linked'),
    reason: 'link',
  });
});

test.skipIf(system === 'win32' || getuid?.() === 0)('a folder that cannot be written is no target', async () => {
  mkdirSync(join(folder, 'theirs'), { mode: 0o500 });
  expect(await refusal(() => setup(join(folder, 'theirs', 'desk')).moves.plan())).toMatchObject({
    kind: 'not-writable',
    code: 'EACCES',
  });
});

test.skipIf(!canMountDisks)(
  'a disk without space is reported as full, unless an unfinished move takes it',
  async () => {
    writeFileSync(join(data, 'vault', 'large'), Buffer.alloc(700 * 1024));
    const small = smallDisk('1m');
    writeFileSync(join(small, 'half'), Buffer.alloc(600 * 1024));
    writeFileSync(join(small, 'move.unfinished'), JSON.stringify({ names: ['half'], isWhole: false }));
    expect(await setup(small).moves.plan()).toMatchObject({ to: small });
    rmSync(join(small, 'move.unfinished'));
    rmSync(join(small, 'half'));
    writeFileSync(join(data, 'vault', 'larger'), Buffer.alloc(700 * 1024));
    expect(await refusal(() => setup(small).moves.plan())).toEqual({ kind: 'disk-full', path: small });
    expect(readdirSync(small)).toEqual([]);
  },
);

test('the old copy is reported after a move, and removed once, however often that is requested', async () => {
  expect(await setup(null).moves.oldCopy()).toBeNull();
  await moveData({ named: null, usual: data, target, onBegin: () => {} });
  const { moves } = setup(null, { dataDirectory: target });
  expect(await moves.oldCopy()).toEqual({ path: data, bytes: 6_000 });
  const [one, other] = await Promise.all([moves.removeOldCopy(), moves.removeOldCopy()]);
  expect([one, other]).toEqual([{ freedBytes: 6_000, leftFiles: 0 }, one]);
  expect(await moves.oldCopy()).toBeNull();
  expect(statSync(join(target, 'vitrine.db')).size).toBe(5_000);
});

test('Vitrine removes nothing more while it closes', async () => {
  await moveData({ named: null, usual: data, target, onBegin: () => {} });
  const { moves } = setup(null, { dataDirectory: target });
  await moves.close();
  expect(await refusal(() => moves.removeOldCopy())).toEqual({ kind: 'cancelled' });
  expect(existsSync(join(data, 'vitrine.db'))).toBe(true);
});
