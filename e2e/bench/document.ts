import type { Row } from './row.ts';

/** What is measured of a row, as it is shown; all else about it is the same in every run. */
export interface Figures {
  ratio: string;
  memory: string;
  besides: string;
}

const columns = 7;
const unmeasured: Figures = { ratio: '–', memory: '–', besides: '' };

const head = `# How fast it is

Written by \`npm run bench -- --write\`; \`npm run bench\` measures again, and fails where a *must* is missed (\`>\`), or where this page is of other rows or without figures of one. The figures
are those of the machine that wrote it, a ratio each: our time through the time of an ordinary tool that does the same to the same bytes, both in turn in one run, the
median of several counts. What the tool does stands beside it. Ours does more than it is asked for: what it fetches is verified, hashed three ways, encrypted, in
the library, in the journal and on the disk when its clock stops. *Aim* is what we are after; *MiB* is the most that our process ever had in memory.

| Row | Ratio | Aim | Must | MiB | Besides | Reference (ratio 1) |
|---|---:|---:|---:|---:|---|---|
`;

const limitsHead = `
## Where the limits are

What keeps each from being better, and how near that is.

| Row | Limit |
|---|---|
`;

/** The page of these rows. One that `figures` has nothing of is not measured yet. */
export function documentOf(rows: readonly Row[], figures: ReadonlyMap<string, Figures>): string {
  const measured = rows.map((row) => lineOf(row, figures.get(row.name) ?? unmeasured));
  const limits = rows.map(({ name, limit }) => cells([name, limit]));
  return `${head}${measured.join('')}${limitsHead}${limits.join('')}`;
}

function lineOf({ name, aim, must, reference }: Row, { ratio, memory, besides }: Figures): string {
  return cells([name, ratio, String(aim ?? '–'), String(must ?? '–'), memory, besides, reference]);
}

const cells = (texts: readonly string[]): string =>
  `| ${texts.map((text) => text.replace(/[|*]/g, '\\$&')).join(' | ')} |\n`;

/** The figures that a page has, by the names of their rows. */
export function figuresIn(document: string): Map<string, Figures> {
  const lines = document.split('\n').map((line) => line.slice('| '.length, -' |'.length).split(' | '));
  const measured = lines.filter(({ length }) => length === columns);
  return new Map(
    measured.map(([name = '', ratio = '', , , memory = '', besides = '']) => [name, { ratio, memory, besides }]),
  );
}

/** The names of the rows that a page has no figure of. */
export const unmeasuredIn = (document: string): string[] =>
  [...figuresIn(document)]
    .filter(
      ([, { ratio, memory, besides }]) =>
        ratio === unmeasured.ratio && memory === unmeasured.memory && besides === unmeasured.besides,
    )
    .map(([name]) => name);
