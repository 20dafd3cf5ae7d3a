import type { Row } from './row.ts';

/** What is measured of a row, as it is shown; all else about it is the same in every run. */
export interface Figures {
  ratio: string;
  memory: string;
  besides: string;
}

const columns = 7;
const unmeasured: Figures = { ratio: '–', memory: '–', besides: '' };

const head = `# Performance

This page compares Vitrine with ordinary tools that do the same work on the same bytes, on the machine that ran
\`npm run bench -- --write\`. \`npm run bench\` measures again. It fails if a *must* is missed (\`>\`), or if rows or
figures of this page are missing or out of date.

Each ratio is our time divided by the tool's time, both measured in turn in one run, the median of several measurements.
Vitrine does more than the tool: when its clock stops, fetched data is verified, hashed three ways, encrypted, recorded
in library and journal, and synced to the disk. *Aim* is the goal; *MiB* is the peak memory of our process.
*Other figures* has the longest time that page or host was blocked, in brackets the part of it in which the process was
running.

| Row | Ratio | Aim | Must | MiB | Other figures | Reference (ratio 1) |
|---|---:|---:|---:|---:|---|---|
`;

const limitsHead = `
## Limits

This table explains what keeps each row from being faster, and how close it is.

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
