import { type AddedFile, addedPlace, mostAddedACall, mostAddedFiles } from '../../../shared/domain/addition.ts';
import { remarkText } from '../../../shared/domain/opened-archive.ts';
import type { Failure } from '../../../shared/failure.ts';
import { archivePasswords } from '../archive-passwords.ts';
import type { CommandRun } from '../command.ts';
import { exitCodeOf, gravestOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type GivenFile, givenFiles, reportNoFiles, tooManyFiles } from '../given-files.ts';
import { isGiven } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { stagedFile } from '../staged-file.ts';
import { wrongUsage } from '../usage-error.ts';
import { endOf } from '../waiting-for-a-job.ts';

const rowsACall = 1_000;

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
  for (const path of leftOut) run.terminal.say(`Skipped, not a regular file: ${path}`);
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
  const door = await run.door();
  const staged: Staged = { added: [], unread: [] };
  for (let at = 0; at < files.length; at += mostAddedACall) {
    const taken: { id: string; path: string }[] = [];
    for (const file of files.slice(at, at + mostAddedACall)) {
      run.signal.throwIfAborted();
      const result = await stagedFile(door, file);
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
  const records = new Records(run.terminal, columns, ({ outcome }) => (outcome === 'failed' ? 'problem' : null));
  const show = async (one: AddedOutcome): Promise<void> => {
    codes.push(codeOf(one));
    counts.set(one.outcome, (counts.get(one.outcome) ?? 0) + 1);
    await (run.terminal.isJson ? run.terminal.json(valueOf(one, job)) : records.add(one));
  };
  for (const one of unread) await show(one);
  if (job !== null) for await (const one of outcomesOf(run, job, added)) await show(one);
  if (!run.terminal.isJson) await records.end();
  run.terminal.say(
    [...counts].map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome.replace('-', ' ')}`).join(', '),
  );
  return gravestOf(codes);
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

const columns: readonly Column<AddedOutcome>[] = [
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
