import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { json } from '../../shared/domain/sample.ts';

const keptCase = z.object({
  /** What it did before that was mended; of one that never did anything wrong, what it is, behind `sound`. */
  why: z.string(),
  input: json,
});
/** One input of a target that is tried again with every test. */
export type KeptCase = z.infer<typeof keptCase>;

const pathOf = (name: string): string => fileURLToPath(new URL(`corpus/${name}.json`, import.meta.url));

/** What is kept of a target; none where nothing was found yet. Throws for a file that is no corpus. */
export function readCorpus(name: string): KeptCase[] {
  return z.array(keptCase).parse(JSON.parse(textOf(pathOf(name))));
}

export function addToCorpus(name: string, found: KeptCase): void {
  const lines = [...readCorpus(name), found].map((kept) => `  ${JSON.stringify(kept)}`);
  writeFileSync(pathOf(name), `[\n${lines.join(',\n')}\n]\n`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '[]';
    throw error;
  }
}
