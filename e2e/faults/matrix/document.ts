import { type ActionName, actionNames } from './actions.ts';
import type { RanCell } from './matrix.ts';
import { faultNames, faults } from './faults.ts';

const head = `# What faults of a service come to

Written by \`npm run faults -- --write\`; \`npm run faults\` does the same again and fails where it comes out otherwise. Each line is one action of
the two services (\`services.md\`) over the real host and a real server on this computer, which is sound but for the one fault. What each line
must say stands in \`e2e/faults/matrix/expected/\`; besides, in every line, what was begun ends, other bytes than the sample's own are kept nowhere, no upload
and no comment is at the service twice or is told to be what it is not, another server gets no token, and the same is done once more without the
fault, and comes out whole.

What a plus stands before is faulty in the same way: \`getfile\` is how an upload and a comment are looked for when their answer was lost.

*Ends* is the state as the contract has it, of a job those of its items. *Requests* are those that reached the service, by action. *Kept* is what there is
of it afterwards, here or at the service.
`;

/** The whole table. Two runs that come out alike give the same bytes. */
export function documentOf(ran: readonly RanCell[]): string {
  return [head, ...actionNames.map((action) => sectionOf(action, ran))].join('\n');
}

function sectionOf(action: ActionName, ran: readonly RanCell[]): string {
  const rows = faultNames
    .flatMap((fault) => ran.filter((one) => one.action === action && one.fault === fault))
    .map(rowOf);
  return [
    `## ${action}`,
    '',
    '| Fault | Ends | Failure | What a person reads | Requests | Kept |',
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
      ? [words, 'does not hold', '', wrong.join('; '), '', '']
      : [words, seen.ends, seen.failure ?? '', seen.sentence, seen.requests, seen.kept];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
    .replaceAll('|  |', '| |')
    .replaceAll('|  |', '| |');
}
