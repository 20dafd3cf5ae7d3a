import type { RanRow } from '../rows/fault-row.ts';
import { type RowSection, rowSections } from '../rows/sections.ts';
import type { RanWay } from '../ways/run-ways.ts';
import { type ActionName, actionNames } from './actions.ts';
import { faultNames, faults } from './faults.ts';
import type { RanCell } from './matrix.ts';

const head = `# How Vitrine handles service faults

Written by \`npm run faults -- --write\`; \`npm run faults\` runs the same cases and fails on any difference. Each row
is one action of the two services (\`services.md\`) with one fault, on the real host against a real local server. The
expected result of each row is in \`e2e/faults/matrix/expected/\`; the tables after the actions have theirs in
\`e2e/faults/rows/\` and \`e2e/faults/ways/\`. Every row also checks that:

- the action ends;
- no bytes other than those of the sample are stored;
- no upload and no comment is on the service twice or shown with a wrong state;
- no other server receives a token;
- the same action succeeds once the fault is over.

Actions after a plus have the same fault: \`getfile\` is how Vitrine looks for an upload or a comment when the response
was lost.

*Ends* is the state in the contract; for a job, the states of its items. A job that is *asleep* resumes by itself.
*Requests* are those that reached the service, by action. *Stored* is what was stored afterwards, here or on the
service.
`;

/** The heading of the table of ways. */
export const waysHeading = 'The way to a service';

const waysHead = `## ${waysHeading}

A look-up and a download, and an upload where these succeed, of a repository that is reached so. Each row has a host of
its own, with the proxy in its environment; the target of a proxy is a name that only the proxy can resolve. Every
row also checks that no proxy gets the token of an https service, that no service gets the login of a proxy, and that no
token or password is on the disk.

*Seen by the proxy* is what it was asked for.

| Way | Failure | Message | Seen by the proxy |
|---|---|---|---|`;

/** Rows that were run, by the name of their section. */
export type RanRows = ReadonlyMap<string, readonly RanRow[]>;

/** All tables. Two runs that come out alike give the same bytes. */
export function documentOf(ran: readonly RanCell[], ranRows: RanRows, ways: readonly RanWay[]): string {
  const sections = [
    ...actionNames.map((action) => sectionOf(action, ran)),
    ...rowSections.map((section) => sectionOfRows(section, ranRows.get(section.name) ?? [])),
  ];
  return [head, ...sections, [waysHead, ...ways.map(rowOfWay), ''].join('\n')].join('\n');
}

function sectionOfRows({ heading, about }: RowSection, ran: readonly RanRow[]): string {
  const columns = '| Fault | Action | Ends | Failure | Message | Requests | Stored |\n|---|---|---|---|---|---|---|';
  return [`## ${heading}`, '', about, '', columns, ...ran.map(lineOfRow), ''].join('\n');
}

/** One line of the table of a section. */
export function lineOfRow({ row: { words, action }, seen, wrong }: RanRow): string {
  return tableRow(
    seen === null
      ? [words, action, 'not as expected', '', wrong.join('; '), '', '']
      : [words, action, seen.ends, seen.failure ?? '', seen.sentence, seen.requests, seen.kept],
  );
}

/** One line of the table of ways. */
export function rowOfWay({ way: { words }, failure, sentence, seen, wrong }: RanWay): string {
  return tableRow(
    wrong.length > 0 ? [words, 'not as expected', wrong.join('; '), ''] : [words, failure ?? '', sentence, seen],
  );
}

function sectionOf(action: ActionName, ran: readonly RanCell[]): string {
  const rows = faultNames
    .flatMap((fault) => ran.filter((one) => one.action === action && one.fault === fault))
    .map(rowOf);
  return [
    `## ${action}`,
    '',
    '| Fault | Ends | Failure | Message | Requests | Stored |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** One line of the table, as the document has it. */
export function rowOf({ fault, seen, wrong }: RanCell): string {
  const { words } = faults[fault];
  const cells =
    seen === null
      ? [words, 'not as expected', '', wrong.join('; '), '', '']
      : [words, seen.ends, seen.failure ?? '', seen.sentence, seen.requests, seen.kept];
  return tableRow(cells);
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
    .replaceAll('|  |', '| |')
    .replaceAll('|  |', '| |');
}
