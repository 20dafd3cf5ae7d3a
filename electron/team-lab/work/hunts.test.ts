import { expect, test } from 'vitest';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { HuntLab, useS3 } from './hunt-lab.fixture.ts';

const postgres = usePostgres();
const s3 = useS3();

const rules = `
  rule one { strings: $a = "needle-1" condition: $a }
  rule two { strings: $a = "needle-2" condition: $a }`;

const samples = (count: number, from = 0): Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.from(`sample ${from + at} needle-${(from + at) % 3}`));

test('a hunt keeps what the rules of its publication find in every sample', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  const added = await lab.add(samples(7));
  const number = await lab.hunts.begin(publication);
  await lab.workHere();
  await expect.poll(async () => (await lab.hunts.hunt(number))?.state, { timeout: 20_000 }).toBe('done');
  expect(await lab.hunts.hunt(number)).toMatchObject({ done: 7, total: 7, hits: 4, failed: 0, leftOut: [] });
  const expected = added.flatMap((sha256, at) => (at % 3 === 0 ? [] : [[sha256, [at % 3 === 1 ? 'one' : 'two']]]));
  expect(await lab.hits()).toEqual(Object.fromEntries(expected));
});
