import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { casesOf } from './attack.ts';
import { readCorpus } from './corpus.ts';
import { targetsPart } from './fuzzing-document.ts';
import { loadTarget, targetNames } from './targets.ts';

/** `npm run fuzz` looks further: another seed each time, for as long as it is given. */
const seed = 9;

describe.each(targetNames)('%s', (name) => {
  it('withstands valid input and every input ever found', async () => {
    const target = await loadTarget(name);
    const kept = readCorpus(name).map(({ input }) => target.revive(input));
    for (const each of [...target.seeds, ...kept])
      await expect(Promise.resolve(each.attack())).resolves.toBeUndefined();
  });

  it('withstands a few malicious inputs', async () => {
    const target = await loadTarget(name);
    const corpus = readCorpus(name).map(({ input }) => input);
    for (const each of casesOf(target, corpus, seed))
      await expect(Promise.resolve(each.attack())).resolves.toBeUndefined();
  });
});

test('docs/fuzzing.md names every target and every finding', async () => {
  expect(
    readFileSync(new URL('../../docs/fuzzing.md', import.meta.url), 'utf8').slice(0, (await targetsPart()).length),
  ).toBe(await targetsPart());
});
