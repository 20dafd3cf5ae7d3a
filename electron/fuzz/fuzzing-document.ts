import { readCorpus } from './corpus.ts';
import type { FuzzOutcome } from './fuzzing.ts';
import { loadTarget, targetNames } from './targets.ts';

const words = `# Fuzzing

\`npm run fuzz\` attacks every reader of outside input. It builds inputs with the structure that the reader expects,
mutates valid inputs and earlier findings, and runs them in a separate process. Every reader must:

- end within 2 s of processor time, and respond within 30 s;
- keep the whole process below 800 MiB;
- throw only known failures.

The table lists what each reader must guarantee in addition. A finding is reduced to the smallest input and stored in
\`electron/fuzz/corpus\`; \`npm test\` runs all stored inputs, and a few new ones.

\`npm run fuzz -- --only NAME --seconds 600\` attacks one reader for ten minutes; \`--seed N\` repeats a run.
\`npm run fuzz -- --write\` writes this page.
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
  const table = [row('target', 'reads', 'must guarantee', 'stored inputs'), row('---', '---', '---', '---:'), ...rows];
  return `${words}\n${table.join('\n')}\n\n## Found and fixed\n\n${finds.join('\n')}\n`;
}

const figuresTitle = '## Last run of each target';

/**
 * The last run of each target in figures, which differ from run to run. Of a target that is not among the outcomes it
 * is the part in `before`, a document like this.
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
    row('target', 's', 'inputs', 'slowest (ms of processor time)', 'peak MiB of the process', 'found'),
    row('---', '---:', '---:', '---:', '---:', '---'),
    ...rows,
  ];
  return `${figuresTitle}\n\n${table.join('\n')}\n`;
}

const figuresRow = ({ name, tried, slowestMs, peakMiB, found }: FuzzOutcome, seconds: number): string =>
  row(`\`${name}\``, String(seconds), String(tried), slowestMs.toFixed(0), peakMiB.toFixed(0), found?.why ?? 'nothing');
