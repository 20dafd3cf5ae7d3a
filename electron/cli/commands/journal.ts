import { assertNever } from '../../../shared/assert-never.ts';
import type {
  JournalBreak,
  JournalFilter,
  JournalLine,
  JournalOperation,
  JournalVerification,
} from '../../../shared/domain/journal.ts';
import { readBound } from '../../../shared/domain/time-bound.ts';
import { fail } from '../../../shared/failure-error.ts';
import type { Command, CommandRun, Flags } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { inertLine } from '../inert-line.ts';
import { choiceOf, isGiven, neededText, numberOf, textOf, textsOf } from '../option-values.ts';
import { forceFlag, outFlag, outputFolder, refuseExisting, writeOut } from '../output-file.ts';
import { wrongUsage } from '../usage-error.ts';

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
] as const satisfies readonly JournalOperation[];

const filterFlags: Flags = {
  operation: {
    value: 'NAME',
    multiple: true,
    choices: operations,
    text: `one of ${operations.join(', ')}; may be repeated`,
  },
  find: { value: 'TEXT', text: 'part of a hash, an outcome or the details' },
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
        'Exits with 1 if the chain is broken, and names the entry. Exits with 4 if the key that sealed entries is ' +
        'locked or missing.',
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
  // Rows that come meanwhile are not in it: none is listed twice.
  let upTo: number | undefined;
  for (let offset = 0, total = 1; offset < Math.min(most, total);) {
    const page = await run.ask('journal.list', {
      filter,
      ...(upTo !== undefined && { upTo }),
      offset,
      limit: Math.min(rowsACall, most - offset),
    });
    upTo ??= page.newest ?? undefined;
    for (const line of page.lines)
      await (run.terminal.isJson ? run.terminal.json(line) : run.terminal.line(lineOf(line)));
    run.signal.throwIfAborted();
    offset += page.lines.length;
    total = page.lines.length === 0 ? 0 : page.total;
    if (total > most && offset >= most)
      run.terminal.say(`${total.toLocaleString('en')} in all: --limit shows more of them`);
  }
  return exitCodes.done;
}

async function filterOf(run: CommandRun): Promise<JournalFilter> {
  const { options } = run;
  const named = textsOf(options, 'operation').map(
    (word) => operations.find((one) => one === word) ?? wrongUsage(`--operation is one of ${operations.join(', ')}`),
  );
  return {
    operations: named,
    workspaceId: textOf(options, 'workspace') === null ? null : await run.workspaceId(),
    find: textOf(options, 'find') ?? '',
    from: timeOf(run, 'from'),
    before: timeOf(run, 'before'),
  };
}

function timeOf({ options }: CommandRun, name: string): string | null {
  const text = textOf(options, name);
  if (text === null) return null;
  const time = readBound(text);
  return time === undefined
    ? wrongUsage(
        `--${name}: "${inertLine(text)}" is no time in UTC; 2026-01-31, "2026-01-31 10:00" or 2026-01-31T10:00:00Z`,
      )
    : time;
}

function lineOf({ number, row }: JournalLine): string {
  if (row === null) return `${number}  what is stored here is no row`;
  const detail = Object.entries(row.detail).map(([name, value]) => inertLine(`${name}=${String(value)}`));
  return [
    number,
    row.time,
    row.operation,
    inertLine(row.outcome),
    row.workspaceId ?? '-',
    row.hash ?? '-',
    ...detail,
  ].join('  ');
}

async function verify(run: CommandRun): Promise<ExitCode> {
  const verification = await run.ask('journal.verify', {});
  const { rows, broken, assurance } = verification;
  if (run.terminal.isJson) await run.terminal.json(verification);
  else
    await run.terminal.line(
      broken === null
        ? `${rows.toLocaleString('en')} rows, ${assuranceWords[assurance]}`
        : `broken: ${brokenWords(broken)}`,
    );
  if (broken !== null) return exitCodes.failed;
  return assurance === 'locked' || assurance === 'key-missing' ? exitCodes.notAllowed : exitCodes.done;
}

const assuranceWords: Readonly<Record<JournalVerification['assurance'], string>> = {
  tampering: 'and the chain holds, against tampering',
  'accidents-only': 'and the chain holds, against accidents alone: its key lies beside it',
  locked: 'and not checked against tampering: the token store is locked, and the key that sealed them is in it',
  'key-missing': 'and not checked against tampering: the token store does not have the key that sealed them',
};

function brokenWords(broken: JournalBreak): string {
  switch (broken.reason) {
    case 'edited':
      return `row ${broken.number} is not what was written`;
    case 'removed':
      return `${broken.count.toLocaleString('en')} rows from ${broken.number} on are gone`;
    case 'cut-off':
      return `there were ${broken.were.toLocaleString('en')} rows, and row ${broken.number} and what followed are gone`;
    case 'rewritten':
      return `row ${broken.number} does not fit its seal: it or rows before it are not those that were written`;
    case 'added':
      return isGivenNumber(broken.number)
        ? `row ${broken.number} came after the sealed end`
        : 'a row was added under a number that no row gets';
    case 'end-missing':
      return 'what says where the journal ends is gone: rows may have been cut off';
    case 'end-edited':
      return 'what says where the journal ends was changed: rows may have been cut off';
    case 'key-replaced':
      return 'the key in the database is not the one that rows and end were linked with: none of them could be checked';
    default:
      return assertNever(broken);
  }
}

/** Rows are numbered from 1. The largest number that is exact also stands for all that are larger. */
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
  // A folder is for who asked for one.
  if (prepared.kind === 'folder') fail({ kind: 'export-gone' });
  const bytes = await writeOut(run, file, (await run.door()).take(prepared.id));
  if (file.out === '-') return exitCodes.done;
  await (run.terminal.isJson
    ? run.terminal.json({ file: file.out, format, bytes })
    : run.terminal.line(`${file.out}  ${bytes.toLocaleString('en')} bytes`));
  return exitCodes.done;
}
