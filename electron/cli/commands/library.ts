import { randomUUID } from 'node:crypto';
import type { LibraryRow, LibrarySort, LibrarySortBy } from '../../../shared/domain/library.ts';
import { isTlpUnknown } from '../../../shared/domain/tag.ts';
import { archivePasswordFlag, archivePasswordOption } from '../archive-passwords.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { tagsOf } from '../given-tags.ts';
import { jobNumbered } from '../job-numbered.ts';
import { nearestWord } from '../nearest-word.ts';
import { choiceOf, isGiven, numberOf } from '../option-values.ts';
import { neededTermsOf, queryTermsOf } from '../query-terms.ts';
import { type Column, Records } from '../records.ts';
import { wrongUsage } from '../usage-error.ts';
import { endOf } from '../waiting-for-a-job.ts';
import { refuseUnknownWorkspace } from '../workspace-named.ts';
import { addToLibrary } from './library-add.ts';

const usualLimit = 100;
const rowsACall = 1_000;
/** By the words of a command line; what is usually wanted first stands first. */
const orders = {
  hash: ['hash', false],
  name: ['name', false],
  size: ['size', true],
  type: ['type', false],
  tags: ['tags', false],
  tlp: ['tlp', true],
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
    'QUERY, all samples are listed. No service is contacted.',
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
      run.terminal.say(
        `${most.toLocaleString('en')} of ${total.toLocaleString('en')} samples. Show more with --limit.`,
      );
  }
  if (!run.terminal.isJson) await records.end();
  if (found === 0 && !run.terminal.isData) tellNone(run);
  return exitCodes.done;
}

/** A slip in a sub-command is a query that finds nothing. */
function tellNone({ args: [first = ''], terminal }: CommandRun): void {
  const meant = nearestWord(first, Object.keys(library.words ?? {}));
  terminal.say(`0 samples${meant === null ? '' : `. Did you mean \`vitrine library ${meant}\`?`}`);
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
