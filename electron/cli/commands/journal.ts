import { assertNever } from '../../../shared/assert-never.ts';
import { readBound } from '../../../shared/domain/clock.ts';
import type {
  JournalBreak,
  JournalFilter,
  JournalLine,
  JournalOperation,
  JournalRow,
  JournalVerification,
} from '../../../shared/domain/journal.ts';
import { type JournalWords, journalWords } from '../../../shared/domain/journal-words.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import { fail } from '../../../shared/failure.ts';
import { checkInput } from '../checked-input.ts';
import type { Command, CommandRun, Flags } from '../command.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { choiceOf, isGiven, neededText, numberOf, textOf, textsOf } from '../option-values.ts';
import { forceFlag, outFlag, outputFolder, refuseExisting, writeOut } from '../output-file.ts';
import { type Column, Records } from '../records.ts';

const usualLimit = 100;
const rowsACall = 1_000;
const operations = [
  'look-up',
  'download',
  'export',
  'upload',
  'comment',
  'scan',
  'rule-update',
  'workspace',
  'key-change',
  'forget',
  'bundle',
  'backup',
  'restore',
  'watch',
  'mute',
  'add',
  'record-change',
] as const satisfies readonly JournalOperation[];

const filterFlags: Flags = {
  operation: {
    value: 'NAME',
    multiple: true,
    choices: operations,
    text: `one of ${operations.join(', ')}; may be repeated`,
  },
  find: { value: 'TEXT', text: 'text in the hash, the outcome or the details' },
  from: {
    value: 'TIME',
    text: 'from this time on, in UTC: 2026-01-31, "2026-01-31 10:00" or 2026-01-31T10:00:00Z',
  },
  before: { value: 'TIME', text: 'before this time' },
};

export const journal: Command = {
  name: 'journal',
  summary: 'list, verify and export the journal',
  usage: ['[flags]'],
  about: 'Lists the entries of the journal, newest first.',
  examples: ['vitrine journal --operation download --from 2026-01-31', 'vitrine journal verify'],
  flags: { ...filterFlags, limit: { value: 'N', text: `show at most N entries (default ${usualLimit})` } },
  most: 0,
  words: {
    verify: {
      summary: 'verify the chain of entries',
      usage: [''],
      about:
        'Exits with 1 if the chain is broken, and names the entry. Exits with 4 if the sealing key is locked or ' +
        'missing.',
      examples: ['vitrine journal verify'],
      most: 0,
    },
    export: {
      summary: 'export entries to a file',
      usage: ['--out FILE [--as jsonl|csv]'],
      examples: ['vitrine journal export --as csv --out journal.csv'],
      flags: {
        ...filterFlags,
        as: { value: 'FORMAT', choices: ['jsonl', 'csv'], text: 'jsonl (default) or csv' },
        out: outFlag,
        force: forceFlag,
      },
      most: 0,
    },
  },
  run: async (run) => {
    const [word] = run.args;
    if (word === 'verify') return verify(run);
    if (word === 'export') return exportRows(run);
    return list(run);
  },
};

async function list(run: CommandRun): Promise<ExitCode> {
  const [filter, most] = [await filterOf(run), numberOf(run.options, 'limit') ?? usualLimit];
  const records = new Records(run.terminal, columns);
  // Entries that are added meanwhile are not in it: none is listed twice.
  let upTo: number | undefined;
  let found = 0;
  for (let offset = 0, total = 1; offset < Math.min(most, total);) {
    const page = await run.ask('journal.list', {
      filter,
      ...(upTo !== undefined && { upTo }),
      offset,
      limit: Math.min(rowsACall, most - offset),
    });
    upTo ??= page.newest ?? undefined;
    for (const line of page.lines) await (run.terminal.isJson ? run.terminal.json(line) : records.add(line));
    run.signal.throwIfAborted();
    offset += page.lines.length;
    found = offset;
    total = page.lines.length === 0 ? 0 : page.total;
    if (total > most && offset >= most)
      run.terminal.print(
        `${most.toLocaleString('en')} of ${total.toLocaleString('en')} entries. Show more with --limit.`,
      );
  }
  if (!run.terminal.isJson) await records.end();
  if (found === 0 && !run.terminal.isData) run.terminal.print('0 entries');
  return exitCodes.done;
}

async function filterOf(run: CommandRun): Promise<JournalFilter> {
  const { options } = run;
  const named = textsOf(options, 'operation').map(
    (word) =>
      operations.find((one) => one === word) ?? wrongUsage(`--operation must be one of ${operations.join(', ')}`),
  );
  const [from, before] = [timeOf(run, 'from'), timeOf(run, 'before')];
  if (from !== null && before !== null && from > before) wrongUsage('--from is later than --before');
  const filter = { operations: named, workspaceId: null, find: textOf(options, 'find') ?? '', from, before };
  const { journalFilter } = await import('../../../shared/domain/journal.ts');
  checkInput(journalFilter, filter, { operations: '--operation', find: '--find' });
  return textOf(options, 'workspace') === null ? filter : { ...filter, workspaceId: await run.workspaceId() };
}

function timeOf({ options }: CommandRun, name: string): string | null {
  const text = textOf(options, name);
  if (text === null) return null;
  const time = readBound(text);
  return time === undefined
    ? wrongUsage(
        `--${name}: "${text}" is not a time in UTC, such as 2026-01-31, "2026-01-31 10:00" or 2026-01-31T10:00:00Z`,
      )
    : time;
}

const columns: readonly Column<JournalLine>[] = [
  { head: 'NUMBER', value: ({ number }) => number, text: ({ number }) => String(number), align: 'right' },
  { head: 'TIME', value: ({ row }) => row?.time ?? null, isOwn: true },
  {
    head: 'OPERATION',
    value: ({ row }) => row?.operation ?? null,
    text: ({ row }) => (row === null ? null : wordsOf(row).operation),
    isOwn: true,
  },
  {
    head: 'OUTCOME',
    value: ({ row }) => (row === null ? 'unreadable entry' : row.outcome),
    text: ({ row }) => (row === null ? 'unreadable entry' : wordsOf(row).outcome),
    cut: 'text',
    isMain: true,
  },
  { head: 'WORKSPACE', value: ({ row }) => row?.workspaceId ?? null, cut: 'text', isOwn: true },
  { head: 'HASH', value: ({ row }) => row?.hash ?? null, cut: 'hash', isOwn: true },
  {
    head: 'DETAILS',
    value: ({ row }) => (row === null ? null : wordsOf(row).line),
    cut: 'text',
  },
];

const wordsOf = (row: JournalRow): JournalWords =>
  journalWords(row, {
    time: (instant) => `${instant.slice(0, 19).replace('T', ' ')}Z`,
    size: (bytes) => counted(bytes, 'byte'),
  });

async function verify(run: CommandRun): Promise<ExitCode> {
  const verification = await run.ask('journal.verify', {});
  const { rows, broken, assurance } = verification;
  if (run.terminal.isData) await run.terminal.value(verification);
  else
    await run.terminal.line(
      broken === null
        ? `Journal intact: ${entries(rows)}. ${assuranceWords[assurance]}`
        : `Journal broken: ${brokenWords(broken)}.`,
    );
  if (broken !== null) return exitCodes.failed;
  return assurance === 'locked' || assurance === 'key-missing' ? exitCodes.notAllowed : exitCodes.done;
}

const entries = (count: number): string => (count === 1 ? '1 entry' : `${many(count)} entries`);

const assuranceWords: Readonly<Record<JournalVerification['assurance'], string>> = {
  tampering: 'Detects tampering.',
  'accidents-only': 'Detects accidental damage only, because the key is stored next to the journal.',
  locked: 'Not checked for tampering: the key is in the token store, which is locked.',
  'key-missing': 'Not checked for tampering: the key is missing from the token store.',
};

function brokenWords(broken: JournalBreak): string {
  switch (broken.reason) {
    case 'edited':
      return `entry ${broken.number} was modified`;
    case 'removed':
      return broken.count === 1
        ? `entry ${broken.number} is missing`
        : `${entries(broken.count)} from ${broken.number} on are missing`;
    case 'cut-off':
      return (
        `entry ${broken.number} and all after it are missing; ` +
        `there ${broken.were === 1 ? 'was' : 'were'} ${entries(broken.were)}`
      );
    case 'rewritten':
      return `entry ${broken.number} does not match its seal: it or entries before it were replaced`;
    case 'added':
      return isGivenNumber(broken.number)
        ? `entry ${broken.number} was added after the sealed end`
        : 'an entry was added under an impossible number';
    case 'end-missing':
      return 'the record of its end is missing, so entries may have been cut off';
    case 'end-edited':
      return 'the record of its end was modified, so entries may have been cut off';
    case 'key-replaced':
      return 'its key in the database was replaced, so no entry could be checked';
    default:
      return assertNever(broken);
  }
}

/** Entries are numbered from 1. The largest exact number represents all larger ones. */
const isGivenNumber = (number: number): boolean => number > 0 && number < Number.MAX_SAFE_INTEGER;

async function exportRows(run: CommandRun): Promise<ExitCode> {
  const format = choiceOf(run.options, 'as', ['jsonl', 'csv'] as const) ?? 'jsonl';
  const file = {
    out: neededText(run.options, 'out'),
    isForced: isGiven(run.options, 'force'),
    isCsv: format === 'csv',
  };
  const filter = await filterOf(run);
  await refuseExisting(run.terminal, file);
  const prepared = await run.ask('journal.export', {
    filter,
    format,
    to: 'command-line',
    ...(await outputFolder(run, file)),
  });
  if (prepared.kind === 'folder') fail({ kind: 'export-gone' });
  const bytes = await writeOut(run, file, (await run.client()).take(prepared.id));
  if (file.out === '-') return exitCodes.done;
  await (run.terminal.isData
    ? run.terminal.value({ file: file.out, format, bytes })
    : run.terminal.line(`${file.out}  ${counted(bytes, 'byte')}`));
  return exitCodes.done;
}
