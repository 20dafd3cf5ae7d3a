import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { DifferenceCounts } from '../../shared/domain/publication.ts';
import type { RuleFile } from '../rules/package-files.ts';
import { openRuleLibrary, type RuleLibrary } from '../rules/rule-library.ts';

const gateFolders = z.object({ rules: z.string().min(1), others: z.string().min(1) });

/**
 * From the files of a package to the verdict on each of its rules. What is measured is a gate, not how long the engine
 * of a program that was just started takes to get going.
 */
export async function benchGate(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { rules: { type: 'string' }, others: { type: 'string' } } });
  const { rules: folder, others } = gateFolders.parse(values);
  return withLibrary(async (library) => {
    await gate(library, others);
    const begun = performance.now();
    const { rules, broken } = await gate(library, folder);
    return { seconds: (performance.now() - begun) / 1000, rules, broken };
  });
}

async function gate(library: RuleLibrary, folder: string): Promise<{ rules: number; broken: number }> {
  await library.load(folder, filesIn(folder), null);
  const { rules, broken } = await library.gate(folder, { signal: new AbortController().signal, onProgress: () => {} });
  return { rules, broken: broken.length };
}

const fourFolders = z.object({
  older: z.string().min(1),
  newer: z.string().min(1),
  'others-older': z.string().min(1),
  'others-newer': z.string().min(1),
});

/**
 * From the files of two packages to all rows of their difference. What is measured is a difference, not how long a
 * program that was just started takes to get going.
 */
export async function benchDifference(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      older: { type: 'string' },
      newer: { type: 'string' },
      'others-older': { type: 'string' },
      'others-newer': { type: 'string' },
    },
  });
  const { older, newer, 'others-older': othersOlder, 'others-newer': othersNewer } = fourFolders.parse(values);
  return withLibrary(async (library) => {
    await difference(library, othersOlder, othersNewer);
    const begun = performance.now();
    const { added, removed, changed } = await difference(library, older, newer);
    return { seconds: (performance.now() - begun) / 1000, counts: { added, removed, changed } };
  });
}

async function difference(library: RuleLibrary, older: string, newer: string): Promise<DifferenceCounts> {
  await library.load(older, filesIn(older), []);
  await library.load(newer, filesIn(newer), []);
  return (await library.difference(older, newer, { offset: 0, limit: 1000 })).counts;
}

async function withLibrary<T>(work: (library: RuleLibrary) => Promise<T>): Promise<T> {
  const library = openRuleLibrary();
  try {
    return await work(library);
  } finally {
    await library.close();
  }
}

/** One after the other, as the references read them: what is measured is not how files are read. */
const filesIn = (folder: string): RuleFile[] =>
  readdirSync(folder).map((path) => ({ path, bytes: readFileSync(join(folder, path)) }));
