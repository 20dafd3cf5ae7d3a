import { expect, test } from 'vitest';
import { addInPlace, names, newBench, quietDraft } from './upload-bench.fixture.ts';
import { team, type TestUploads } from './uploads.fixture.ts';

const ticksChanged = expect.objectContaining({ failure: { kind: 'ticks-changed' } });
const tick = (setup: TestUploads, isTicked: boolean, ...ids: number[]): Promise<unknown> =>
  setup.uploads.change(team, { kind: 'files', ids }, { isTicked });
const idsOf = (setup: TestUploads): number[] => setup.files().map(({ id }) => id);

/** Four files, the first two of them ticked. */
async function twoOfFour() {
  const { setup } = await newBench();
  const ids = await addInPlace(setup, names(4));
  await quietDraft(setup);
  await tick(setup, false, ...ids.slice(2));
  return { setup, ids };
}

test('the ticked files of the confirmation leave the draft, and no others', async () => {
  const { setup, ids } = await twoOfFour();
  const { files, mark } = await setup.uploads.ticked(team);
  expect(files).toBe(2);
  await setup.uploads.remove(team, { kind: 'ticked', mark });
  expect(idsOf(setup)).toEqual(ids.slice(2));
});

test('ticked files are counted, and removed, after all earlier changes', async () => {
  const { setup, ids } = await twoOfFour();
  const change = tick(setup, true, ...ids);
  const ticked = setup.uploads.ticked(team);
  const late = tick(setup, false, ...ids.slice(1));
  expect((await ticked).files).toBe(4);
  await expect(setup.uploads.remove(team, { kind: 'ticked', mark: (await ticked).mark })).rejects.toThrow(ticksChanged);
  await Promise.all([change, late]);
  expect(idsOf(setup)).toEqual(ids);
});

test('no file leaves when other files are ticked meanwhile, even the same number', async () => {
  const {
    setup,
    ids: [one = 0, two = 0, three = 0, four = 0],
  } = await twoOfFour();
  const { mark } = await setup.uploads.ticked(team);
  await tick(setup, true, three);
  await expect(setup.uploads.remove(team, { kind: 'ticked', mark })).rejects.toThrow(ticksChanged);
  await tick(setup, false, two);
  await expect(setup.uploads.remove(team, { kind: 'ticked', mark })).rejects.toThrow(ticksChanged);
  expect(idsOf(setup)).toEqual([one, two, three, four]);
  await tick(setup, false, three);
  await tick(setup, true, two);
  await setup.uploads.remove(team, { kind: 'ticked', mark });
  expect(idsOf(setup)).toEqual([three, four]);
});

test('a mark belongs to no other draft', async () => {
  const { setup } = await twoOfFour();
  await expect(
    setup.uploads.remove('another', { kind: 'ticked', mark: (await setup.uploads.ticked(team)).mark }),
  ).rejects.toThrow(ticksChanged);
  expect(setup.files()).toHaveLength(4);
});
