import { expect, test } from 'vitest';
import { addInPlace, names, newBench, quietDraft } from './upload-bench.fixture.ts';
import { team, type UploadDesk } from './uploads.fixture.ts';

const ticksChanged = expect.objectContaining({ failure: { kind: 'ticks-changed' } });
const tick = (desk: UploadDesk, isTicked: boolean, ...ids: number[]): Promise<unknown> =>
  desk.uploads.change(team, { kind: 'files', ids }, { isTicked });
const idsOf = (desk: UploadDesk): number[] => desk.files().map(({ id }) => id);

/** Four files, the first two of them ticked. */
async function twoOfFour() {
  const { desk } = await newBench();
  const ids = await addInPlace(desk, names(4));
  await quietDraft(desk);
  await tick(desk, false, ...ids.slice(2));
  return { desk, ids };
}

test('the ticked files that were asked about leave the draft, and no others', async () => {
  const { desk, ids } = await twoOfFour();
  const { files, mark } = await desk.uploads.ticked(team);
  expect(files).toBe(2);
  await desk.uploads.remove(team, { kind: 'ticked', mark });
  expect(idsOf(desk)).toEqual(ids.slice(2));
});

test('what is ticked is told, and removed, once all changes before are done', async () => {
  const { desk, ids } = await twoOfFour();
  const change = tick(desk, true, ...ids);
  const ticked = desk.uploads.ticked(team);
  const late = tick(desk, false, ...ids.slice(1));
  expect((await ticked).files).toBe(4);
  await expect(desk.uploads.remove(team, { kind: 'ticked', mark: (await ticked).mark })).rejects.toThrow(ticksChanged);
  await Promise.all([change, late]);
  expect(idsOf(desk)).toEqual(ids);
});

test('where other files are ticked meanwhile, as many of them too, none leaves', async () => {
  const {
    desk,
    ids: [one = 0, two = 0, three = 0, four = 0],
  } = await twoOfFour();
  const { mark } = await desk.uploads.ticked(team);
  await tick(desk, true, three);
  await expect(desk.uploads.remove(team, { kind: 'ticked', mark })).rejects.toThrow(ticksChanged);
  await tick(desk, false, two);
  await expect(desk.uploads.remove(team, { kind: 'ticked', mark })).rejects.toThrow(ticksChanged);
  expect(idsOf(desk)).toEqual([one, two, three, four]);
  await tick(desk, false, three);
  await tick(desk, true, two);
  await desk.uploads.remove(team, { kind: 'ticked', mark });
  expect(idsOf(desk)).toEqual([three, four]);
});

test('a mark is of no other draft', async () => {
  const { desk } = await twoOfFour();
  await expect(
    desk.uploads.remove('another', { kind: 'ticked', mark: (await desk.uploads.ticked(team)).mark }),
  ).rejects.toThrow(ticksChanged);
  expect(desk.files()).toHaveLength(4);
});
