import type { ItemState, JobItem } from '../../../shared/domain/job.ts';
import { nameEncodings, remarkText } from '../../../shared/domain/opened-archive.ts';
import { isAbsent } from '../../../shared/domain/server-action.ts';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import { isPlainArchive, mostDraftFiles, type UploadFile } from '../../../shared/domain/upload.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { newsOf } from '../client.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { type GivenFile, givenFiles, reportNoFiles, tooManyFiles } from '../given-files.ts';
import { endOf, itemsOf } from '../job-waiting.ts';
import { choiceOf, isGiven } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { archivePasswordFlag, archivePasswordOption, archivePasswords } from '../secret-input.ts';
import {
  givenLabels,
  type LabelName,
  refuseThirdParties,
  thirdParties,
  type UploadLabels,
  uploadLabels,
} from './upload-labels.ts';
import { type ArchiveOrder, OwnFiles, type SendOrder } from './upload-own-files.ts';

/** What became of one file. */
export interface UploadOutcome {
  file: string;
  md5: string | null;
  sha256: string | null;
  /** `opened`: an archive whose members were sent; `left-out`: a member that was not asked for. */
  outcome:
    | 'stored'
    | 'already-there'
    | 'opened'
    | 'left-out'
    | 'empty'
    | 'locked'
    | Exclude<ItemState, 'done' | 'already-here'>;
  failure: Failure | null;
  /**
   * What was given for it and did not reach the repository, which had it already: it takes labels with a file alone.
   */
  notSent: LabelName[];
  /** What is unusual about it, as an archive or in one. */
  remarks: string[];
}

/**
 * Of a file that was not sent: the repository has nothing to say of it. `item` is what the upload did with its bytes.
 */
export function outcomeOf(
  file: UploadFile,
  shown: string,
  { item, labels }: { item: JobItem | undefined; labels: UploadLabels },
): UploadOutcome {
  const facts = { file: shown, md5: file.md5, sha256: file.sha256, notSent: [], remarks: file.remarks.map(remarkText) };
  if (item)
    return {
      ...facts,
      outcome: wordOf(item.state),
      failure: item.failure,
      notSent: item.state === 'already-here' ? givenLabels(labels) : [],
    };
  if (file.state === 'empty') return { ...facts, outcome: 'empty', failure: { kind: 'file-empty', name: file.name } };
  if (file.archive?.state === 'open') {
    const isEmpty = file.archive.members === 0 && file.archive.failure === null;
    return {
      ...facts,
      outcome: isEmpty ? 'failed' : 'opened',
      failure: isEmpty ? { kind: 'archive-empty', name: file.name } : file.archive.failure,
    };
  }
  if (file.archive?.state === 'locked')
    return { ...facts, outcome: 'locked', failure: { kind: 'archive-password', name: file.name } };
  const failure = file.failure ?? file.archive?.failure ?? null;
  if (failure === null && file.remarks.some(({ kind }) => kind === 'link'))
    return { ...facts, outcome: 'left-out', failure };
  return { ...facts, outcome: 'failed', failure: failure ?? { kind: 'upload-file-missing', id: file.id } };
}

function wordOf(state: ItemState): UploadOutcome['outcome'] {
  if (state === 'done') return 'stored';
  return state === 'already-here' ? 'already-there' : state;
}

const isAsMeant = ({ outcome }: UploadOutcome): boolean => outcome === 'opened' || outcome === 'left-out';
const isThere = ({ outcome }: UploadOutcome): boolean => outcome === 'stored' || outcome === 'already-there';

export const outcomeColumns: readonly Column<UploadOutcome>[] = [
  { head: 'STATUS', value: ({ outcome }) => outcome, isOwn: true },
  { head: 'MD5', value: ({ md5 }) => md5, cut: 'hash', isOwn: true },
  { head: 'FILE', value: ({ file }) => file, cut: 'text', isMain: true, isOwn: true },
  { head: 'DETAILS', value: (outcome) => detailsOf(outcome).join('; '), cut: 'text', isOwn: true },
];

const detailsOf = ({ failure, notSent, remarks }: UploadOutcome): string[] => [
  ...remarks,
  ...(failure === null ? [] : [reasonOf(failure)]),
  ...(notSent.length === 0 ? [] : [`not sent: ${notSent.map((name) => `--${name}`).join(', ')}`]),
];

export const isProblem = (outcome: UploadOutcome): boolean => codeOf(outcome) !== exitCodes.done;

export function codeOf(outcome: UploadOutcome): ExitCode {
  if (isThere(outcome) || (isAsMeant(outcome) && outcome.failure === null)) return exitCodes.done;
  if (outcome.outcome === 'cancelled') return exitCodes.interrupted;
  if (outcome.outcome === 'forbidden') return exitCodes.notAllowed;
  return outcome.failure === null ? exitCodes.failed : exitCodeOf(outcome.failure);
}

/** For standard error: how many are where they should be. */
export function summaryOf(outcomes: readonly UploadOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome.replace('-', ' ')}`).join(', ');
}

const ofArchive = 'with --open-archives';

export const upload: Command = {
  name: 'upload',
  summary: 'send files to the repository',
  usage: ['FILE|FOLDER... [flags]'],
  about:
    'Files already in the repository are skipped, with their tags, TLP, comment and flags. The details list ' +
    'what was skipped. Tags and TLP are stored in the local library either way.',
  examples: ['vitrine upload dropper.bin --tlp amber --tag family:emotet'],
  flags: {
    tag: { value: 'TAG', multiple: true, text: 'tag for every file; may be repeated' },
    tlp: { value: 'LEVEL', choices: tlpLevels, text: `one of ${tlpLevels.join(', ')}` },
    comment: { value: 'TEXT', text: 'comment for every file' },
    'comment-file': { value: 'FILE', text: 'comment from a file; - for stdin' },
    'virus-total': { text: 'let the repository forward the files to its multi-scanner' },
    sandbox: { text: 'let the repository forward the files to its sandbox' },
    'open-archives': { text: 'send the members of ZIP archives instead of the archives' },
    [archivePasswordOption]: { ...archivePasswordFlag, text: `${ofArchive}: ${archivePasswordFlag.text}` },
    'archive-names': {
      value: 'ENCODING',
      choices: nameEncodings,
      text: `${ofArchive}: encoding of names that are not UTF-8 (default: detected)`,
    },
    links: { text: `${ofArchive}: send symbolic links too, as the text of their target` },
  },
  run: async (run) => {
    if (run.args.length === 0) wrongUsage('name a file or a folder to upload');
    const labels = await uploadLabels(run);
    const archives = await archivesOf(run);
    const { files, leftOut, unread } = await givenFiles(run.terminal, run.args);
    // A folder is sent whole or not at all: a part of it would pass for all of it.
    for (const { failure } of unread) fail(failure);
    for (const path of leftOut) run.terminal.print(`Skipped, not a regular file: ${path}`);
    if (files.length === 0) return reportNoFiles(run, 'upload');
    if (files.length > mostDraftFiles) wrongUsage(tooManyFiles(mostDraftFiles, files.length));
    const workspace = await workspaceOf(run);
    const receivers = thirdParties(labels, workspace.options);
    refuseThirdParties(labels.tlp, receivers);
    run.terminal.print(
      `Sending to ${receiverOf(workspace)}` + receivers.map((receiver) => `, which forwards to ${receiver}`).join(''),
    );
    return uploaded(run, workspace.id, files, { labels, receivers, archives });
  },
};

const ofArchives = ['archive-password-file', 'archive-names', 'links'];

/** null: archives are sent as they are. */
async function archivesOf(run: CommandRun): Promise<ArchiveOrder | null> {
  const { options } = run;
  if (!isGiven(options, 'open-archives')) {
    const needless = ofArchives.find((name) => options[name] !== undefined);
    return needless === undefined ? null : wrongUsage(`--${needless} needs --open-archives`);
  }
  const passwords = await archivePasswords(run);
  return {
    passwords,
    nameEncoding: choiceOf(options, 'archive-names', nameEncodings),
    sendsLinks: isGiven(options, 'links'),
  };
}

async function workspaceOf(run: CommandRun): Promise<WorkspaceView> {
  const id = await run.workspaceId();
  const { workspaces } = await run.ask('workspaces.list', {});
  const workspace = workspaces.find((one) => one.id === id) ?? fail({ kind: 'workspace-missing', id });
  return workspace.repository === null ? fail({ kind: 'service-not-set', service: 'repository' }) : workspace;
}

const receiverOf = ({ name, builtIn, repository }: WorkspaceView): string =>
  builtIn || repository === null ? name : `${new URL(repository.baseUrl).host} (${name})`;

async function uploaded(
  run: CommandRun,
  workspaceId: string,
  given: readonly GivenFile[],
  order: SendOrder,
): Promise<ExitCode> {
  const news = await newsOf(await run.client(), 'uploads.changed', (changed) => changed.workspaceId === workspaceId);
  const own = new OwnFiles(run, workspaceId, order);
  try {
    const notStaged = await own.add(given);
    const { job, files } = await own.send(news);
    const items = job === null ? new Map<string, JobItem>() : await itemsByHash(run, (await endOf(run, job)).id);
    const unread = notStaged.map(({ file, failure }) => notSent(file, failure));
    return await reported(run, {
      workspaceId,
      outcomes: [...outcomesOf(own, files, { items, order }), ...unread],
      jobId: job?.id ?? null,
    });
  } finally {
    news.stop();
    run.terminal.progress(null);
    await own.remove();
  }
}

async function itemsByHash(run: CommandRun, id: number): Promise<Map<string, JobItem>> {
  const items = new Map<string, JobItem>();
  for await (const item of itemsOf(run, id)) items.set(item.hash, item);
  return items;
}

/**
 * Members of opened archives, and such an archive itself if it has remarks or a failure. Files that left the draft
 * meanwhile were not sent.
 */
function outcomesOf(
  own: OwnFiles,
  files: readonly UploadFile[],
  { items, order }: { items: ReadonlyMap<string, JobItem>; order: SendOrder },
): UploadOutcome[] {
  const toReport = files.filter(isReported);
  const missing = own.without(files).map(({ id, file }) => notSent(file, { kind: 'upload-file-missing', id }));
  return [
    ...toReport.map(
      (file) =>
        unopened(own, file) ??
        outcomeOf(file, own.shown(file), {
          item: own.isMeant(file) ? itemOf(file, items) : undefined,
          labels: order.labels,
        }),
    ),
    ...missing,
  ];
}

/** An archive of a kind that is not opened here does not leave either. */
function unopened(own: OwnFiles, file: UploadFile): UploadOutcome | null {
  const kind = own.cannotOpen(file);
  if (kind === null) return null;
  const failure = { kind: 'archive-unsupported' as const, name: file.name, feature: `the ${kind} format` };
  return {
    file: own.shown(file),
    md5: file.md5,
    sha256: file.sha256,
    outcome: 'failed',
    failure,
    notSent: [],
    remarks: [],
  };
}

const notSent = ({ shown }: GivenFile, failure: Failure): UploadOutcome => ({
  file: shown,
  md5: null,
  sha256: null,
  outcome: 'failed',
  failure,
  notSent: [],
  remarks: [],
});
const isReported = (file: UploadFile): boolean =>
  !isPlainArchive(file) ||
  file.archive?.state !== 'open' ||
  file.archive.members === 0 ||
  file.archive.failure !== null ||
  file.remarks.length > 0;
const itemOf = ({ sha256 }: UploadFile, items: ReadonlyMap<string, JobItem>): JobItem | undefined =>
  sha256 === null ? undefined : items.get(sha256);

async function reported(
  { terminal, ask }: CommandRun,
  { workspaceId, outcomes, jobId }: { workspaceId: string; outcomes: readonly UploadOutcome[]; jobId: number | null },
): Promise<ExitCode> {
  const records = new Records(terminal, outcomeColumns, (outcome) => (isProblem(outcome) ? 'problem' : null));
  for (const outcome of outcomes)
    await (terminal.isJson ? terminal.json({ ...outcome, job: jobId }) : records.add(outcome));
  if (!terminal.isJson) await records.end();
  terminal.print(summaryOf(outcomes));
  if (outcomes.some((one) => one.notSent.length > 0)) {
    const takesComments = !isAbsent(await ask('servers.actions', { workspaceId }), 'addcomment');
    terminal.print(
      'Files already in the repository were skipped. Their tags and TLP are stored in the local library' +
        (takesComments ? '; send a comment with "vitrine comment".' : '.'),
    );
  }
  return mostSevereOf(outcomes.map(codeOf));
}
