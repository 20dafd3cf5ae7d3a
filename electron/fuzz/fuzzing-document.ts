import { readCorpus } from './corpus.ts';
import type { FuzzOutcome } from './fuzzing.ts';
import { loadTarget, targetNames } from './targets.ts';

const words = `# Hostile input

Whatever reads something that comes from outside is attacked: \`npm run fuzz\` makes inputs by the structure that a reader looks for, changes sound ones and all that was
ever kept in a few places, and has a process of its own try them. For every reader holds: it ends (2 s of processor time, 30 s without an answer), in little memory (800 MiB for the
whole process), and throws nothing but failures that are data. What must hold besides stands in the table. A find is made as small as it will go and kept in
\`electron/fuzz/corpus\`; \`npm test\` tries all that is kept, and a few new ones.

\`npm run fuzz -- --only NAME --seconds 600\` attacks one reader for ten minutes; \`--seed N\` does the same again. \`npm run fuzz -- --write\` writes this page.
`;

const row = (...cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** What is attacked, and what was found: the same bytes for the same targets and corpora. */
export async function targetsPart(): Promise<string> {
  const rows: string[] = [];
  const finds: string[] = [];
  for (const name of targetNames) {
    const { reads, holds } = await loadTarget(name);
    const kept = readCorpus(name);
    rows.push(row(`\`${name}\``, reads, holds, String(kept.length)));
    finds.push(...kept.filter(({ why }) => !why.startsWith('sound')).map(({ why }) => `- \`${name}\`: ${why}.`));
  }
  const table = [row('target', 'reads', 'must hold besides', 'kept'), row('---', '---', '---', '---:'), ...rows];
  return `${words}\n${table.join('\n')}\n\n## Found, and mended\n\n${finds.join('\n')}\n`;
}

/** One run in figures, which are another time others. */
export function figuresPart(outcomes: readonly FuzzOutcome[], seconds: number): string {
  const rows = outcomes.map(({ name, tried, slowestMs, peakMiB, found }) => row(`\`${name}\``, String(tried), slowestMs.toFixed(0), peakMiB.toFixed(0), found?.why ?? 'nothing'));
  const table = [row('target', 'inputs tried', 'slowest, ms of processor time', 'peak MiB of the process', 'found'), row('---', '---:', '---:', '---:', '---'), ...rows];
  return `## A run of ${seconds} s each\n\n${table.join('\n')}\n`;
}
