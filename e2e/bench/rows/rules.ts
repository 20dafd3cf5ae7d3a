import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry } from '../child.ts';
import { median, type Row } from '../row.ts';
import { layRules, updateOfRules } from '../rule-set.ts';

const files = 100;
const rulesEach = 50;
const counts = (quick: boolean): number => (quick ? 3 : 7);

/**
 * A whole package that nothing is known of, from its files to the verdict on every rule, in a program that has compiled
 * others before.
 */
export const gate5k: Row = {
  name: 'gate-5k',
  reference: 'yarac of the same 5,000 rules in 100 files',
  limit:
    'The engine. In WebAssembly, with warm code and with meta and plain strings reduced to their beginnings, it ' +
    'takes 3 times the processor time of yarac for these rules (0.90–1.04 s to 0.31 on a busy machine), so two ' +
    'processors come to 1.5 without any waiting. More than half of that are conditions, each of which must be ' +
    'checked; a tenth is building the scanner, which alone proves that the compiled code is valid. Splitting and ' +
    'planning the text and starting two threads take 0.1 s more. The native engine is faster, but an older ' +
    'release: rules that it accepts may not compile in the portable one.',
  aim: 1.5,
  must: 3,
  residentMustMiB: null,
  async measure({ folder, quick }) {
    const [rules, others] = [join(folder, 'rules'), join(folder, 'others')];
    await layRules(rules, { files, rulesEach });
    await layRules(others, { files, rulesEach, from: 1_000_000 });
    const paths = (await readdir(rules)).map((name) => join(rules, name));
    const ratios: number[] = [];
    for (let count = 0; count < counts(quick); count += 1) {
      const reference = await secondsOf(() => run('yarac', [...paths, join(folder, 'compiled')]));
      const ours = gated.parse(
        JSON.parse(await runEntry('electron/bench.ts', ['gate', '--rules', rules, '--others', others])),
      );
      if (ours.rules !== files * rulesEach || ours.broken !== 0)
        throw new Error(`the gate let ${ours.rules} rules through and ${ours.broken} not`);
      ratios.push(ours.seconds / reference);
    }
    return { ratio: median(ratios), residentMiB: null };
  },
};

const gated = z.object({ seconds: z.number(), rules: z.number(), broken: z.number() });

/**
 * Two unknown packages as files, compared up to the rows that a person reads, in a program that has compared two others
 * before.
 */
export const diff5k: Row = {
  name: 'diff-5k',
  reference: 'diff -r of the same two packages of 5,000 rules in 100 files',
  limit: 'Splitting all of the text into rules, while the reference compares bytes.',
  aim: 5,
  must: 20,
  residentMustMiB: null,
  async measure({ folder, quick }) {
    const [older, newer] = await layReleases(folder, '');
    const [othersOlder, othersNewer] = await layReleases(folder, 'others-', 1_000_000);
    const ratios: number[] = [];
    for (let count = 0; count < counts(quick); count += 1) {
      const reference = await secondsOf(async () => differing(older, newer));
      const ours = different.parse(
        JSON.parse(
          await runEntry('electron/bench.ts', [
            'difference',
            '--older',
            older,
            '--newer',
            newer,
            '--others-older',
            othersOlder,
            '--others-newer',
            othersNewer,
          ]),
        ),
      );
      if (JSON.stringify(ours.counts) !== JSON.stringify(updateOfRules))
        throw new Error(`another difference: ${JSON.stringify(ours.counts)}`);
      ratios.push(ours.seconds / reference);
    }
    return { ratio: median(ratios), residentMiB: null };
  },
};

async function layReleases(folder: string, prefix: string, from = 0): Promise<[older: string, newer: string]> {
  const [older, newer] = [join(folder, `${prefix}older`), join(folder, `${prefix}newer`)];
  await layRules(older, { files, rulesEach, from });
  await layRules(newer, { files, rulesEach, from, isNewer: true });
  return [older, newer];
}

const different = z.object({
  seconds: z.number(),
  counts: z.object({ added: z.number(), removed: z.number(), changed: z.number() }),
});

/** It ends with 1 where there are differences. */
function differing(older: string, newer: string): void {
  const { status, error } = spawnSync('diff', ['-r', older, newer], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 1) throw new Error(`diff ended with ${String(status)}`, { cause: error });
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}
