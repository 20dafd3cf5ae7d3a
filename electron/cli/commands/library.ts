import { randomUUID } from 'node:crypto';
import { type AddedFile, addedPlace, mostAddedACall, mostAddedFiles } from '../../../shared/domain/addition.ts';
import type { LibraryRow, LibrarySort, LibrarySortBy } from '../../../shared/domain/library.ts';
import { remarkText } from '../../../shared/domain/opened-archive.ts';
import { isTlpUnknown } from '../../../shared/domain/tag.ts';
import type { Failure } from '../../../shared/failure.ts';
import { tagsOf } from '../checked-input.ts';
import { neededTermsOf, queryTermsOf } from '../chosen-samples.ts';
import { stagedFile } from '../client.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { type GivenFile, givenFiles, reportNoFiles, tooManyFiles } from '../given-files.ts';
import { endOf, jobNumbered } from '../job-waiting.ts';
import { nearestWord } from '../nearest-word.ts';
import { choiceOf, isGiven, numberOf } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { archivePasswordFlag, archivePasswordOption, archivePasswords } from '../secret-input.ts';
import { refuseUnknownWorkspace } from '../workspace-named.ts';

/** One row of the output. */
interface AddedOutcome {
  file: string;
  outcome: AddedFile['state'];
  failure: Failure | null;
  facts: AddedFile | null;
}

/** Puts files into the vault. Asks no service and sends nothing. */
export async function addToLibrary(run: CommandRun, paths: readonly string[]): Promise<ExitCode> {
  if (paths.length === 0) wrongUsage('name a file or a folder to add');
  const passwords = await archivePasswords(run);
  const { files, leftOut, unread: folders } = await givenFiles(run.terminal, paths);
  for (const path of leftOut) run.terminal.print(`Skipped, not a regular file: ${path}`);
  if (files.length + folders.length === 0) return reportNoFiles(run, 'add');
  if (files.length > mostAddedFiles) {
    wrongUsage(tooManyFiles(mostAddedFiles, files.length));
  }
  const { job } = await run.ask('library.draftAdd', { opensArchives: !isGiven(run.options, 'keep-archives') });
  const { added, unread } = await stage(run, job, files);
  if (added.length > 0) await endOf(run, await run.ask('library.beginAdd', { job, passwords }));
  else await run.ask('jobs.forget', { id: job });
  const closed = folders.map(({ shown, failure }) => unreadRow(shown, failure));
  return report(run, { job: added.length === 0 ? null : job, added, unread: [...closed, ...unread] });
}

const unreadRow = (file: string, failure: Failure): AddedOutcome => ({ file, outcome: 'failed', failure, facts: null });

interface Staged {
  /** In the order of the job's files. */
  added: GivenFile[];
  unread: AddedOutcome[];
}

async function stage(run: CommandRun, job: number, files: readonly GivenFile[]): Promise<Staged> {
  const client = await run.client();
  const staged: Staged = { added: [], unread: [] };
  for (let at = 0; at < files.length; at += mostAddedACall) {
    const taken: { id: string; path: string }[] = [];
    for (const file of files.slice(at, at + mostAddedACall)) {
      run.signal.throwIfAborted();
      const result = await stagedFile(client, file);
      if (!result.ok) staged.unread.push(unreadRow(file.shown, result.failure));
      else {
        taken.push({ id: result.value.id, path: file.folder });
        staged.added.push(file);
      }
    }
    if (taken.length > 0) await run.ask('library.addFiles', { job, files: taken });
  }
  return staged;
}

async function report(run: CommandRun, { job, added, unread }: Staged & { job: number | null }): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  const counts = new Map<string, number>();
  const records = new Records(run.terminal, additionColumns, ({ outcome }) =>
    outcome === 'failed' ? 'problem' : null,
  );
  const show = async (one: AddedOutcome): Promise<void> => {
    codes.push(codeOf(one));
    counts.set(one.outcome, (counts.get(one.outcome) ?? 0) + 1);
    await (run.terminal.isJson ? run.terminal.json(valueOf(one, job)) : records.add(one));
  };
  for (const one of unread) await show(one);
  if (job !== null) for await (const one of outcomesOf(run, job, added)) await show(one);
  if (!run.terminal.isJson) await records.end();
  run.terminal.print(
    [...counts].map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome.replace('-', ' ')}`).join(', '),
  );
  return mostSevereOf(codes);
}

async function* outcomesOf(
  run: CommandRun,
  job: number,
  added: readonly GivenFile[],
): AsyncGenerator<AddedOutcome, void, void> {
  let [given, place] = ['', ''];
  for (let offset = 0; ;) {
    const { files, total } = await run.ask('library.added', { job, offset, limit: rowsACall });
    for (const file of files) {
      const own = file.rank.split('.').length === 2 ? added[Number.parseInt(file.rank, 10) - 1] : undefined;
      if (own !== undefined) [given, place] = [own.shown, addedPlace(file)];
      // A member's place begins with that of the file it was in.
      yield {
        file: `${given}${addedPlace(file).slice(place.length)}`,
        outcome: file.state,
        failure: file.failure ?? file.archive?.failure ?? null,
        facts: file,
      };
    }
    offset += files.length;
    if (files.length === 0 || offset >= total) return;
  }
}

function valueOf({ file, outcome, failure, facts }: AddedOutcome, job: number | null): object {
  const {
    md5 = null,
    sha1 = null,
    sha256 = null,
    mime = null,
    sizeBytes = null,
    archive = null,
    remarks = [],
  } = facts ?? {};
  return { file, outcome, failure, md5, sha1, sha256, sizeBytes, mime, archive, remarks, job };
}

const additionColumns: readonly Column<AddedOutcome>[] = [
  { head: 'STATUS', value: ({ outcome }) => outcome, isOwn: true },
  { head: 'MD5', value: ({ facts }) => facts?.md5 ?? null, cut: 'hash', isOwn: true },
  { head: 'FILE', value: ({ file }) => file, cut: 'text', isMain: true, isOwn: true },
  { head: 'DETAILS', value: (one) => notesOf(one).join('; '), cut: 'text', isOwn: true },
];

function notesOf({ failure, facts }: AddedOutcome): string[] {
  const archive = facts?.archive ?? null;
  return [
    ...(archive === null || archive.state === 'open' ? [] : [closedWords[archive.state]]),
    ...(failure === null ? [] : [reasonOf(failure)]),
    ...[...(archive?.remarks ?? []), ...(facts?.remarks ?? [])].map(remarkText),
  ];
}

const closedWords = {
  partly: 'stored as an archive: not every member could be opened',
  locked: 'stored as an archive: no known password opens it',
  refused: 'stored as an archive: it cannot be opened',
} as const;

function codeOf({ outcome, failure }: AddedOutcome): ExitCode {
  if (failure !== null) return exitCodeOf(failure);
  return outcome === 'waiting' || outcome === 'failed' ? exitCodes.failed : exitCodes.done;
}

const usualLimit = 100;
const rowsACall = 1_000;
/** By the words of a command line; what is usually wanted first comes first. */
const orders = {
  hash: ['hash', false],
  name: ['name', false],
  size: ['size', true],
  type: ['type', false],
  tags: ['tags', false],
  tlp: ['tlp', true],
  severity: ['severity', true],
  threat: ['threat', false],
  hits: ['hits', true],
  comments: ['comments', true],
  'first-seen': ['firstSeen', true],
  'last-seen': ['lastSeen', true],
  vault: ['vault', true],
} as const satisfies Record<string, readonly [LibrarySortBy, boolean]>;
const orderNames: readonly (keyof typeof orders)[] = [
  'hash',
  'name',
  'size',
  'type',
  'tags',
  'tlp',
  'severity',
  'threat',
  'hits',
  'comments',
  'first-seen',
  'last-seen',
  'vault',
];

export const library: Command = {
  name: 'library',
  summary: 'search, count and tag local samples, or add files',
  usage: ['[QUERY...]'],
  about:
    'QUERY is what you would type in the search field of the library, such as tag:apt29 or size:>1mb. Without ' +
    'QUERY, all samples are listed. A minus excludes a term: -tag:reviewed. No service is contacted.',
  examples: ["vitrine library 'size:>1mb' --sort size", 'vitrine library --count tag:family:emotet'],
  flags: {
    limit: { value: 'N', text: `show at most N samples (default ${usualLimit})` },
    sort: { value: 'FIELD', choices: orderNames, text: `one of ${orderNames.join(', ')} (default last-seen)` },
    reverse: { text: 'reverse the order' },
    count: { text: 'only print the number of samples' },
  },
  most: Infinity,
  words: {
    tag: {
      summary: 'add tags to samples, or remove them',
      usage: ['QUERY... [--add TAG] [--remove TAG]'],
      examples: ["vitrine library tag 'name:invoice*' --add campaign:invoice"],
      flags: {
        add: { value: 'TAG', multiple: true, text: 'add this tag; may be repeated' },
        remove: { value: 'TAG', multiple: true, text: 'remove this tag; may be repeated' },
      },
      most: Infinity,
    },
    add: {
      summary: 'add local files to the vault',
      usage: ['FILE|FOLDER...'],
      about:
        'Files are stored encrypted. Nothing is sent. ZIP archives are opened, and their members are stored ' +
        'instead.',
      examples: ['vitrine library add mail.zip incoming/'],
      flags: {
        'keep-archives': { text: 'store archives without opening them' },
        [archivePasswordOption]: archivePasswordFlag,
      },
      most: Infinity,
    },
  },
  run: async (run) => {
    const [first, ...rest] = run.args;
    await refuseUnknownWorkspace(run);
    if (first === 'tag') return tagThem(run, rest);
    if (first === 'add') return addToLibrary(run, rest);
    return isGiven(run.options, 'count') ? countThem(run) : listThem(run);
  },
};

async function countThem(run: CommandRun): Promise<ExitCode> {
  const { totals } = await run.ask('library.totals', { queries: [queryTermsOf(run.args, new Date())] });
  const { samples = 0, bytes = 0 } = totals[0] ?? {};
  await (run.terminal.isData ? run.terminal.value({ samples, bytes }) : run.terminal.line(String(samples)));
  return exitCodes.done;
}

async function listThem(run: CommandRun): Promise<ExitCode> {
  const [terms, sort, most] = [
    queryTermsOf(run.args, new Date()),
    sortOf(run),
    numberOf(run.options, 'limit') ?? usualLimit,
  ];
  const moment = randomUUID();
  const records = new Records(run.terminal, columns);
  let found = 0;
  for (let offset = 0, total = 1; offset < Math.min(most, total);) {
    const page = await run.ask('library.list', {
      terms,
      sort,
      moment,
      offset,
      limit: Math.min(rowsACall, most - offset),
    });
    for (const row of page.rows) await (run.terminal.isJson ? run.terminal.json(row) : records.add(row));
    run.signal.throwIfAborted();
    offset += page.rows.length;
    found = offset;
    total = page.rows.length === 0 ? 0 : page.total;
    if (total > most && offset >= most)
      run.terminal.print(
        `${most.toLocaleString('en')} of ${total.toLocaleString('en')} samples. Show more with --limit.`,
      );
  }
  if (!run.terminal.isJson) await records.end();
  if (found === 0 && !run.terminal.isData) reportNone(run);
  return exitCodes.done;
}

/** A slip in a sub-command is a query that finds nothing. */
function reportNone({ args: [first = ''], terminal }: CommandRun): void {
  const meant = nearestWord(first, Object.keys(library.words ?? {}));
  terminal.print(`0 samples${meant === null ? '' : `. Did you mean \`vitrine library ${meant}\`?`}`);
}

function sortOf({ options }: CommandRun): LibrarySort {
  const [by, descending] = orders[choiceOf(options, 'sort', orderNames) ?? 'last-seen'];
  return { by, descending: descending !== isGiven(options, 'reverse') };
}

const columns: readonly Column<LibraryRow>[] = [
  { head: 'HASH', value: ({ hash }) => hash, cut: 'hash', isOwn: true },
  { head: 'VAULT', value: ({ vault }) => vault, isOwn: true },
  { head: 'SIZE', value: ({ sizeBytes }) => sizeBytes, align: 'right' },
  { head: 'TYPE', value: ({ type }) => type, cut: 'text' },
  { head: 'SEVERITY', value: ({ severity }) => severity, isOwn: true },
  { head: 'THREAT', value: ({ threat }) => threat, cut: 'text' },
  { head: 'TLP', value: (row) => (isTlpUnknown(row) ? 'unknown' : row.tlp), isOwn: true },
  { head: 'TAGS', value: ({ tags, serviceTags }) => [...tags, ...serviceTags].join(','), cut: 'text' },
  { head: 'HITS', value: ({ hits }) => hits, align: 'right' },
  { head: 'NAME', value: ({ name }) => name, cut: 'text', isMain: true },
];

async function tagThem(run: CommandRun, query: readonly string[]): Promise<ExitCode> {
  const change = {
    add: tagsOf(run.options, 'add'),
    remove: tagsOf(run.options, 'remove'),
  };
  if (query.length === 0) wrongUsage('give a query that selects the samples to tag');
  if (change.add.length + change.remove.length === 0) wrongUsage('give --add TAG or --remove TAG');
  const terms = neededTermsOf(query);
  const result = await run.ask('library.change', {
    selection: { kind: 'query', terms, except: [] },
    change,
  });
  const job = result.job === undefined ? null : await endOf(run, await jobNumbered(run, result.job));
  const changed = job === null ? result.changed : job.counts.done;
  if (run.terminal.isData) await run.terminal.value({ changed, leftOut: result.leftOut, job: job?.id ?? null });
  else
    await run.terminal.line(
      `${changed.toLocaleString('en')} changed` +
        (result.leftOut === 0 ? '' : `, ${result.leftOut.toLocaleString('en')} skipped: SHA-256 unknown`),
    );
  return exitCodes.done;
}
