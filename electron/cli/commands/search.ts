import { type FoundSample, serverSearch, type ServerSearch } from '../../../shared/domain/server-record.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { choiceOf, numberOf } from '../option-values.ts';
import { type Column, Records } from '../records.ts';

type Field = ServerSearch['field'];
const fieldNames: readonly Field[] = ['name', 'threat', 'tag', 'comment', 'sha256'];
const usualLimit = 100;

export const search: Command = {
  name: 'search',
  summary: 'search the repository, where it can be searched',
  usage: ['TEXT... [--field FIELD]'],
  about:
    'Finds samples by any part of their name, threat, tag or comment, or by a whole SHA-256. In TEXT, _ is any ' +
    'character and % any text. Not every repository can be searched; one that was never asked is ' +
    'asked for it first.',
  examples: ['vitrine search invoice', 'vitrine search --field tag family:emotet --limit 500'],
  flags: {
    field: { value: 'FIELD', choices: fieldNames, text: `one of ${fieldNames.join(', ')} (default name)` },
    limit: { value: 'N', text: `show at most N samples (default ${usualLimit})` },
  },
  most: Infinity,
  run: async (run) => {
    const field = choiceOf(run.options, 'field', fieldNames) ?? 'name';
    const text = run.args.join(' ').trim();
    if (text === '') wrongUsage('give the text to search for');
    if (field === 'sha256' && !/^[0-9a-f]{64}$/i.test(text)) wrongUsage('a SHA-256 has 64 hexadecimal characters');
    const checked = serverSearch.shape.text.safeParse(text);
    if (!checked.success) wrongUsage(`give ${checked.error.issues[0]?.message ?? 'another text'}`);
    const workspaceId = await run.workspaceId();
    await findSearch(run, workspaceId);
    return listFound(run, workspaceId, { field, text });
  },
};

/** What was never asked is asked now: the command is the request for it. */
async function findSearch(run: CommandRun, workspaceId: string): Promise<void> {
  const { mayUse, actions } = await run.ask('servers.actions', { workspaceId });
  const isUnknown = actions.some(({ action, state }) => action === 'getfiles' && state === 'unknown');
  if (mayUse && isUnknown) await run.ask('servers.findActions', { workspaceId });
}

async function listFound(
  run: CommandRun,
  workspaceId: string,
  { field, text }: Pick<ServerSearch, 'field' | 'text'>,
): Promise<ExitCode> {
  const { terminal } = run;
  const most = numberOf(run.options, 'limit') ?? usualLimit;
  const records = new Records(terminal, columns);
  const seen = new Set<string>();
  let mayBeMore = true;
  for (let page = 1; mayBeMore && seen.size < most; page += 1) {
    run.signal.throwIfAborted();
    const answer = await run.ask('servers.search', { workspaceId, search: { field, text, page } });
    // What is uploaded meanwhile moves the others to the next page.
    const rows = answer.found.filter(({ md5 }) => !seen.has(md5)).slice(0, most - seen.size);
    for (const row of rows) {
      seen.add(row.md5);
      await (terminal.isJson ? terminal.json(row) : records.add(row));
    }
    const isCut = seen.size >= most && rows.length < answer.found.length;
    mayBeMore = isCut || (answer.mayBeMore && answer.found.length > 0);
    terminal.progress(`${seen.size.toLocaleString('en')} found`);
  }
  terminal.progress(null);
  if (!terminal.isJson) await records.end();
  if (mayBeMore) terminal.print(`The first ${seen.size.toLocaleString('en')} samples. Show more with --limit.`);
  if (seen.size === 0 && !terminal.isData) terminal.print('0 samples');
  return exitCodes.done;
}

const columns: readonly Column<FoundSample>[] = [
  { head: 'MD5', value: ({ md5 }) => md5, cut: 'hash', isOwn: true },
  { head: 'SIZE', value: ({ sizeBytes }) => sizeBytes, align: 'right' },
  { head: 'DATE', value: ({ date }) => date },
  { head: 'THREAT', value: ({ threat }) => threat, cut: 'text' },
  { head: 'TAGS', value: ({ tags }) => tags.join(','), cut: 'text' },
  { head: 'UPLOADER', value: ({ uploader }) => uploader, cut: 'text' },
  { head: 'NAME', value: ({ name }) => name, cut: 'text', isMain: true },
];
