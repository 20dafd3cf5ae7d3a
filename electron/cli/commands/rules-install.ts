import type { PackageFileCounts, PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import { partsForCalls } from '../../../shared/domain/rule-names.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail } from '../../../shared/failure.ts';
import { stagedFile } from '../client.ts';
import type { CommandRun } from '../command.ts';
import { exitCodes, ExitError, wrongUsage } from '../exit.ts';
import { inOrder } from '../../base/in-order.ts';
import { isGiven } from '../option-values.ts';
import { packageOf, ruleSources, type RuleSources } from '../rule-packages.ts';
import { rulesAfter } from './rules-check.ts';

const stagedAtOnce = 8;
const longestName = 200;

interface Staged {
  stagedId: string;
  path: string;
}

/** Opens what was typed as one package. @returns it, and the state it is in then */
export async function openedFiles(
  run: CommandRun,
  typed: readonly string[],
): Promise<{ state: PublicationsState; opened: PackageView }> {
  if (typed.length === 0) wrongUsage('name a rule file, a ZIP or a folder');
  const workspaceId = await run.workspaceId();
  const sources = await ruleSources(run.terminal, typed);
  if (sources.files.length === 0 && sources.unread.length === 0)
    fail({ kind: 'no-rule-files', leftOut: sources.leftOut + sources.links });
  const before = await run.ask('publications.state', { workspaceId });
  const staged = await stagedOf(run, sources);
  if (staged.length === 0) {
    for (const { path, text } of sources.unread) run.terminal.complain(visibleLine(`${path}: ${text}`));
    throw new ExitError(exitCodes.failed);
  }
  const state = newest(await rulesAfter(run, () => named(run, workspaceId, { staged, sources, typed })), before);
  const isConverted = isGiven(run.options, 'convert') && guesses(state.opened.contents?.reading) > 0;
  const after = isConverted
    ? newest(
        await rulesAfter(run, () => run.ask('publications.convert', { workspaceId, sha256: state.opened.sha256 })),
        before,
      )
    : state;
  reportReading(run, after.opened);
  return after;
}

/** Files that cannot be read are named in the package. */
async function stagedOf(run: CommandRun, sources: RuleSources): Promise<Staged[]> {
  const client = await run.client();
  const staged: Staged[] = [];
  for await (const { file, result } of inOrder(sources.files, stagedAtOnce, async (one) => ({
    file: one,
    result: await stagedFile(client, one),
  }))) {
    if (result.ok) staged.push({ stagedId: result.value.id, path: file.inside });
    else sources.unread.push({ path: file.inside, text: sentenceFor(result.failure).what });
    run.terminal.progress(
      `Reading files: ${staged.length.toLocaleString('en')} of ${sources.files.length.toLocaleString('en')}`,
    );
  }
  return staged;
}

async function named(
  run: CommandRun,
  workspaceId: string,
  {
    staged,
    sources: { leftOut, links, unread },
    typed,
  }: { staged: readonly Staged[]; sources: RuleSources; typed: readonly string[] },
): Promise<void> {
  const version = typeof run.options['version-name'] === 'string' ? run.options['version-name'] : null;
  const last = { name: nameOf(typed), version, leftOut, links, unread };
  let list: string | null = null;
  const parts = [...partsForCalls(staged)];
  for (const [index, files] of parts.entries()) {
    ({ list } = await run.ask('publications.addFiles', {
      workspaceId,
      list,
      files,
      last: index === parts.length - 1 ? last : null,
    }));
  }
}

function nameOf(typed: readonly string[]): string {
  const [first = '', ...others] = typed.map(
    (path) =>
      path
        .replace(/[/\\]+$/, '')
        .split(/[/\\]/)
        .at(-1) ?? '',
  );
  const name = first === '' || first === '.' ? 'this folder' : first;
  return visibleLine(others.length === 0 ? name : `${name} and ${others.length} more`).slice(0, longestName);
}

/** What was opened last, whether it is the candidate or active already. */
function newest(
  state: PublicationsState,
  before: PublicationsState,
): { state: PublicationsState; opened: PackageView } {
  const isOther = state.candidate !== null && state.candidate !== before.candidate;
  const opened = isOther ? packageOf(state, state.candidate) : state.packages[0];
  return opened ? { state, opened } : fail({ kind: 'no-package' });
}

const guesses = (reading: PackageFileCounts | undefined): number =>
  reading ? reading.latin1 + reading.utf16Unmarked : 0;
const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** Reports what was skipped or converted. */
function reportReading({ terminal }: CommandRun, { contents }: PackageView): void {
  const { leftOut, links, utf16, bareReturns, latin1, utf16Unmarked } = contents?.reading ?? {
    leftOut: 0,
    links: 0,
    utf16: 0,
    bareReturns: 0,
    latin1: 0,
    utf16Unmarked: 0,
  };
  if (leftOut > 0)
    terminal.print(
      `${leftOut === 1 ? '1 other file was' : `${leftOut.toLocaleString('en')} other files were`} skipped.`,
    );
  if (links > 0)
    terminal.print(`${links === 1 ? '1 link was' : `${links.toLocaleString('en')} links were`} not followed.`);
  if (utf16 > 0) terminal.print(`${files(utf16)} converted from UTF-16.`);
  if (bareReturns > 0) terminal.print(`${files(bareReturns)} with only carriage returns, read with line feeds.`);
  if (latin1 > 0) terminal.complain(`${files(latin1)} in Latin-1, not UTF-8. Use --convert to convert them.`);
  if (utf16Unmarked > 0)
    terminal.complain(`${files(utf16Unmarked)} in UTF-16 without a byte order mark. Use --convert to convert them.`);
}
