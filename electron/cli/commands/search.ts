import type { ServerAction } from '../../../shared/domain/server-action.ts';
import {
  type FoundSample,
  searchOrder,
  serverSearch,
  type ServerSearch,
} from '../../../shared/domain/server-record.ts';
import { queryTermsOf } from '../chosen-samples.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { choiceOf, numberOf, textOf } from '../option-values.ts';
import { type Column, Records } from '../records.ts';

type Field = ServerSearch['field'];
const fieldNames: readonly Field[] = ['name', 'threat', 'tag', 'comment', 'sha256'];
const usualLimit = 100;

export const search: Command = {
  name: 'search',
  summary: 'search the repository, where it can be searched',
  usage: ['TEXT... [--field FIELD]', '--query QUERY [--order ORDER]'],
  about:
    'Finds samples by any part of their name, threat, tag or comment, or by a whole SHA-256. In TEXT, _ is any ' +
    'character and % any text. QUERY is what the search field of the library takes. It is sent as it is; a ' +
    'blank one finds all samples. Not every repository can be searched, and fewer take a QUERY; one that was ' +
    'never asked is asked for it first.',
  examples: [
    'vitrine search invoice',
    'vitrine search --field tag family:emotet --limit 500',
    "vitrine search --query 'tag:family:emotet size:>1MB' --order largest",
  ],
  flags: {
    field: { value: 'FIELD', choices: fieldNames, text: `one of ${fieldNames.join(', ')} (default name)` },
    query: { value: 'QUERY', text: 'search by a query of the library' },
    order: {
      value: 'ORDER',
      choices: searchOrder.options,
      text: `one of ${searchOrder.options.join(', ')} (default newest)`,
    },
    limit: { value: 'N', text: `show at most N samples (default ${usualLimit})` },
  },
  most: Infinity,
  run: async (run) => {
    const query = textOf(run.options, 'query');
    if (query !== null) return searchByQuery(run, query);
    if (textOf(run.options, 'order') !== null) wrongUsage("--order needs --query, such as --query '' for all samples");
    const field = choiceOf(run.options, 'field', fieldNames) ?? 'name';
    const text = run.args.join(' ').trim();
    if (text === '') wrongUsage('give the text to search for');
    if (field === 'sha256' && !/^[0-9a-f]{64}$/i.test(text)) wrongUsage('a SHA-256 has 64 hexadecimal characters');
    const checked = serverSearch.shape.text.safeParse(text);
    if (!checked.success) wrongUsage(`give ${checked.error.issues[0]?.message ?? 'another text'}`);
    const workspaceId = await run.workspaceId();
    await findSearch(run, workspaceId, 'getfiles');
    const read = async (page: number): Promise<FoundRows> =>
      run.ask('servers.search', { workspaceId, search: { field, text, page } });
    return listFound(run, read);
  },
};

/** @throws UsageError for a query that cannot be read */
async function searchByQuery(run: CommandRun, query: string): Promise<ExitCode> {
  if (run.args.length > 0) wrongUsage('give TEXT or --query');
  if (textOf(run.options, 'field') !== null) wrongUsage('--field is for TEXT: a query has fields of its own');
  queryTermsOf([query], new Date());
  const order = choiceOf(run.options, 'order', searchOrder.options) ?? 'newest';
  const workspaceId = await run.workspaceId();
  await findSearch(run, workspaceId, 'searchfiles');
  let after: string | null = null;
  const read = async (): Promise<FoundRows> => {
    const answer = await run.ask('servers.searchByQuery', { workspaceId, search: { query, order, after } });
    after = answer.next;
    return { found: answer.found, mayBeMore: after !== null, total: answer };
  };
  return listFound(run, read);
}

/** What was never asked is asked now: the command is the request for it. */
async function findSearch(run: CommandRun, workspaceId: string, wanted: ServerAction): Promise<void> {
  const { mayUse, actions } = await run.ask('servers.actions', { workspaceId });
  const isUnknown = actions.some(({ action, state }) => action === wanted && state === 'unknown');
  if (mayUse && isUnknown) await run.ask('servers.findActions', { workspaceId });
}

interface FoundRows {
  found: readonly FoundSample[];
  mayBeMore: boolean;
  /** How many match, and whether there are more than that; left out where the repository does not count them. */
  total?: { total: number; more: boolean };
}

/** `read` gives the pages one after the other, numbered from 1. */
async function listFound(run: CommandRun, read: (page: number) => Promise<FoundRows>): Promise<ExitCode> {
  const { terminal } = run;
  const most = numberOf(run.options, 'limit') ?? usualLimit;
  const records = new Records(terminal, columns);
  const seen = new Set<string>();
  let mayBeMore = true;
  let total: FoundRows['total'];
  for (let page = 1; mayBeMore && seen.size < most; page += 1) {
    run.signal.throwIfAborted();
    const answer = await read(page);
    total = answer.total;
    // What is uploaded meanwhile moves the others to the next page.
    const rows = answer.found.filter(({ md5 }) => !seen.has(md5)).slice(0, most - seen.size);
    for (const row of rows) {
      seen.add(row.md5);
      await (terminal.isJson ? terminal.json(row) : records.add(row));
    }
    const isCut = seen.size >= most && rows.length < answer.found.length;
    // A page of nothing new ends it: a server may send the same ones forever.
    mayBeMore = isCut || (answer.mayBeMore && rows.length > 0);
    terminal.progress(`${seen.size.toLocaleString('en')} found`);
  }
  terminal.progress(null);
  if (!terminal.isJson) await records.end();
  if (mayBeMore) terminal.print(`The first ${seen.size.toLocaleString('en')} ${ofAll(total)}. Show more with --limit.`);
  if (seen.size === 0 && !terminal.isData) terminal.print('0 samples');
  return exitCodes.done;
}

const ofAll = (all: FoundRows['total']): string =>
  all === undefined ? 'samples' : `of ${all.more ? 'more than ' : ''}${all.total.toLocaleString('en')} samples`;

const columns: readonly Column<FoundSample>[] = [
  { head: 'MD5', value: ({ md5 }) => md5, cut: 'hash', isOwn: true },
  { head: 'SIZE', value: ({ sizeBytes }) => sizeBytes, align: 'right' },
  { head: 'DATE', value: ({ date }) => date },
  { head: 'THREAT', value: ({ threat }) => threat, cut: 'text' },
  { head: 'TAGS', value: ({ tags }) => tags.join(','), cut: 'text' },
  { head: 'UPLOADER', value: ({ uploader }) => uploader, cut: 'text' },
  { head: 'NAME', value: ({ name }) => name, cut: 'text', isMain: true },
];
