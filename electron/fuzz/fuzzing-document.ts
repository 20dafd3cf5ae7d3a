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

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

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

const figuresTitle = '## The last run of each';

/**
 * The last run of each target in figures, which are another time others. Of a target that is not among the outcomes it
 * is what `before` says, a document like this.
 */
export function figuresPart(outcomes: readonly FuzzOutcome[], seconds: number, before: string): string {
  const written = before.slice(before.indexOf(figuresTitle)).split('\n');
  const rows = targetNames.flatMap((name) => {
    const outcome = outcomes.find((each) => each.name === name);
    return outcome === undefined
      ? written.filter((line) => line.startsWith(`| \`${name}\` |`))
      : [figuresRow(outcome, seconds)];
  });
  const table = [
    row('target', 's', 'inputs tried', 'slowest, ms of processor time', 'peak MiB of the process', 'found'),
    row('---', '---:', '---:', '---:', '---:', '---'),
    ...rows,
  ];
  return `${figuresTitle}\n\n${table.join('\n')}\n`;
}

const figuresRow = ({ name, tried, slowestMs, peakMiB, found }: FuzzOutcome, seconds: number): string =>
  row(`\`${name}\``, String(seconds), String(tried), slowestMs.toFixed(0), peakMiB.toFixed(0), found?.why ?? 'nothing');
