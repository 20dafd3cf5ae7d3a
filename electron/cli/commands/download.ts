import { join } from 'node:path';
import type { ExportAs } from '../../../shared/domain/export.ts';
import { isFinalJob, type ItemState, type Job, type JobItem, retryableStates } from '../../../shared/domain/job.ts';
import { type ZipEncryption, zipEncryption } from '../../../shared/domain/settings.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { explainFailure } from '../explained-failure.ts';
import { makeFolder, pathOf } from '../given-files.ts';
import { givenHashes, hashesFileFlag, hashesHelp } from '../given-hashes.ts';
import { endOf, itemsOf, jobNumbered } from '../job-waiting.ts';
import { choiceOf, isGiven, numberOf, textOf } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { givenSecret } from '../secret-input.ts';

const forms = ['one-zip', 'zip-each', 'raw'] as const satisfies readonly ExportAs['form'][];
const hashesACall = 5_000;
const here: readonly ItemState[] = ['done', 'already-here'];

export const download: Command = {
  name: 'download',
  summary: 'download samples to the vault or a folder',
  usage: ['HASH...', '[--file FILE]', '--resume JOB'],
  about: `Downloads are verified and stored encrypted in the vault. Ctrl-C pauses the job.\n${hashesHelp}`,
  examples: ['vitrine download 44d88612fea8a8f36de82e1278abb02f', 'vitrine download --file hashes.txt --out zips/'],
  flags: {
    file: hashesFileFlag,
    resume: { value: 'JOB', text: 'resume this job; if it has ended, try again what failed' },
    records: { text: 'exit with a failure when the metadata of a sample cannot be fetched' },
    'no-records': { text: 'do not fetch missing metadata: name, tags, threat, TLP and comments' },
    out: { value: 'DIR', text: 'also export the samples to this folder, as password-protected ZIPs' },
    form: {
      value: 'FORM',
      choices: forms,
      text: 'one-zip (default), zip-each, or raw (live bytes, needs --yes-live-bytes)',
    },
    encryption: {
      value: 'METHOD',
      choices: zipEncryption.options,
      text: 'aes-256, or zipcrypto for unzip, Windows Explorer and Python (default: from the settings)',
    },
    'password-file': {
      value: 'FILE',
      text: 'ZIP password; or set VITRINE_ZIP_PASSWORD (default: from the settings)',
    },
    'yes-live-bytes': { text: 'confirm writing live samples' },
  },
  run: async (run) => {
    const recordsWanted = wantedRecords(run);
    const output = await wantedOutput(run);
    const { begun, code } = await begunJob(run);
    const job = await endOf(run, begun, (id) => `Resume it: vitrine download --resume ${id}`);
    const codes = [code, await reportItems(run, job)];
    const isAnyHere = here.some((state) => job.counts[state] > 0);
    if (isAnyHere && recordsWanted !== 'none') {
      const recordsCode = await readRecords(run, job).catch((error) => explained(run, error));
      if (recordsWanted === 'required') codes.push(recordsCode);
    }
    if (isAnyHere && output !== null) codes.push(await exportItems(run, job, output));
    return mostSevereOf(codes);
  },
};

/**
 * Without either option the metadata is fetched too, but a download of all samples succeeds without it: some tokens may
 * download and not read, and some servers have no record of what they store.
 */
function wantedRecords({ options }: CommandRun): 'required' | 'wanted' | 'none' {
  const isNone = isGiven(options, 'no-records');
  if (!isGiven(options, 'records')) return isNone ? 'none' : 'wanted';
  return isNone ? wrongUsage('--records and --no-records exclude each other') : 'required';
}

interface Output {
  folder: string;
  form: ExportAs['form'];
  /** null: that of the settings; so is the password. */
  encryption: ZipEncryption | null;
  password: string | null;
}

/** Checked before anything is fetched: whether the folder can be written and the password can be read. */
async function wantedOutput(run: CommandRun): Promise<Output | null> {
  const { options } = run;
  const [out, form, encryption] = [
    textOf(options, 'out'),
    choiceOf(options, 'form', forms),
    choiceOf(options, 'encryption', zipEncryption.options),
  ];
  if (out === null) {
    const isPlain = form === null && encryption === null && textOf(options, 'password-file') === null;
    return isPlain ? null : wrongUsage('--form, --encryption and --password-file need --out DIR');
  }
  if (form === 'raw' && encryption !== null)
    wrongUsage('--form raw writes files without encryption: remove --encryption');
  if (form === 'raw' && !isGiven(options, 'yes-live-bytes'))
    wrongUsage('--form raw writes live samples, which any program can run: confirm with --yes-live-bytes');
  const folder = pathOf(out);
  const password =
    form === 'raw' ? null : await givenSecret(run, { option: 'password-file', variable: 'VITRINE_ZIP_PASSWORD' });
  await makeFolder(folder);
  return { folder, form: form ?? 'one-zip', encryption, password };
}

async function begunJob(run: CommandRun): Promise<{ begun: Job; code: ExitCode }> {
  const resumed = numberOf(run.options, 'resume');
  if (resumed !== null) return { begun: await resumedJob(run, resumed), code: exitCodes.done };
  const { hashes, code } = await givenHashes(run);
  const workspaceId = await run.workspaceId();
  const { id } = await run.ask('bulk.create', { workspaceId });
  for (let from = 0; from < hashes.length; from += hashesACall)
    await run.ask('bulk.add', { id, hashes: hashes.slice(from, from + hashesACall) });
  return { begun: await run.ask('bulk.start', { id }), code };
}

async function resumedJob(run: CommandRun, id: number): Promise<Job> {
  if (run.args.length > 0 || textOf(run.options, 'file') !== null)
    wrongUsage('--resume takes no hashes: the job has its own');
  const job = await jobNumbered(run, id);
  if (job.task.kind !== 'bulk-download') wrongUsage(`job ${id} is not a download`);
  // A token that was given is for its workspace.
  await run.workspaceId();
  if (isFinalJob(job)) return retriedJob(run, job);
  // In a host of our own nothing continues by itself, in whatever state another one left it.
  const isStill = job.state === 'paused' || (await run.client()).kind === 'own';
  if (isStill) await run.ask('jobs.resume', { id });
  return isStill ? { ...job, state: 'waiting' } : job;
}

/** Tries again what the page does: not what is unknown, forbidden or other bytes. Without any, the job is left. */
async function retriedJob(run: CommandRun, job: Job): Promise<Job> {
  const states = retryableStates.filter(
    (state) => job.counts[state] > 0 || (state === 'cancelled' && job.counts.waiting > 0),
  );
  if (states.length === 0) return job;
  await run.ask('jobs.retry', { id: job.id, states });
  return { ...job, state: 'waiting' };
}

async function reportItems(run: CommandRun, { id: job }: Job): Promise<ExitCode> {
  const { terminal } = run;
  const met = new Set<ExitCode>();
  const records = new Records(terminal, columns, ({ state }) => (here.includes(state) ? null : 'problem'));
  for await (const item of itemsOf(run, job)) {
    met.add(codeOf(item));
    const { hash, md5, sha256, state, sizeBytes, failure } = item;
    await (terminal.isJson ? terminal.json({ hash, md5, sha256, state, sizeBytes, failure, job }) : records.add(item));
  }
  if (!terminal.isJson) await records.end();
  return mostSevereOf([...met]);
}

const columns: readonly Column<JobItem>[] = [
  { head: 'HASH', value: ({ hash }) => hash, cut: 'hash', isOwn: true },
  { head: 'STATUS', value: ({ state }) => state, isOwn: true },
  { head: 'SIZE', value: ({ sizeBytes }) => sizeBytes, align: 'right' },
  {
    head: 'REASON',
    value: ({ failure }) => (failure === null ? null : reasonOf(failure)),
    cut: 'text',
    isOwn: true,
  },
];

function codeOf({ state, failure }: JobItem): ExitCode {
  if (here.includes(state)) return exitCodes.done;
  if (state === 'unknown' || state === 'needs-md5') return exitCodes.notFound;
  if (state === 'forbidden') return exitCodes.notAllowed;
  if (state === 'mismatch') return exitCodes.refused;
  if (state === 'waiting' || state === 'cancelled') return exitCodes.interrupted;
  return failure === null ? exitCodes.failed : exitCodeOf(failure);
}

/** What kept the metadata away keeps no sample from being exported. */
function explained({ terminal }: CommandRun, error: unknown): ExitCode {
  if (!(error instanceof FailureError)) throw error;
  return explainFailure(error.failure, terminal);
}

/** In the workspace of the job. */
async function readRecords(run: CommandRun, { id, workspaceId }: Job): Promise<ExitCode> {
  const { terminal } = run;
  const selection = { kind: 'job' as const, id, filter: { states: [...here], find: '' } };
  const begun = await run.ask('library.readRecords', {
    selection,
    workspaceId: workspaceId ?? (await run.workspaceId()),
  });
  const { id: job, counts } = await endOf(run, begun, () => `Fetch the rest: vitrine download --resume ${id}`);
  const records = {
    read: counts.done,
    here: counts['already-here'],
    none: counts.unknown,
    forbidden: counts.forbidden,
    failed: counts.failed,
  };
  if (terminal.isJson) await terminal.json({ records, job });
  else
    terminal.print(
      `Records: ${records.read} fetched, ${records.here} already known, ${records.none} without one, ` +
        `${records.forbidden} forbidden, ${records.failed} failed`,
    );
  if (records.failed > 0) return exitCodes.failed;
  if (records.forbidden > 0) return exitCodes.notAllowed;
  return records.none > 0 ? exitCodes.notFound : exitCodes.done;
}

/** Names the samples that are not in the folder; the others are listed before. */
async function exportItems(run: CommandRun, { id }: Job, output: Output): Promise<ExitCode> {
  const { terminal } = run;
  const { folder, form } = output;
  const grant = await (await run.client()).nameFolder(folder);
  const selection = { kind: 'job' as const, id, filter: { states: [...here], find: '' } };
  const written = await endOf(
    run,
    await run.ask('exports.start', { selection, as: await exportAsked(run, output), folder: grant }),
    () => 'An export cannot be resumed: start it again.',
  );
  const leftOut = await leftOutOf(run, written);
  const result = written.task.kind === 'export' ? written.task.result : null;
  if (terminal.isJson)
    await terminal.json({
      folder,
      written: result,
      form,
      leftOut: leftOut.map(({ hash, state, failure }) => ({ hash, state, failure })),
    });
  else if (result !== null) terminal.print(`Exported to ${join(folder, result)}`);
  for (const { hash, failure } of leftOut)
    terminal.complain(`Not exported: ${hash}${failure === null ? '' : `: ${reasonOf(failure)}`}`);
  return mostSevereOf(leftOut.map(codeOf));
}

async function leftOutOf(run: CommandRun, { id, counts, items }: Job): Promise<JobItem[]> {
  const found: JobItem[] = [];
  if (counts.done < items) for await (const item of itemsOf(run, id)) if (item.state !== 'done') found.push(item);
  return found;
}

async function exportAsked(run: CommandRun, { form, encryption, password }: Output): Promise<ExportAs> {
  if (form === 'raw') return { form, confirmed: true };
  const { values } = await run.ask('settings.read', {});
  return { form, encryption: encryption ?? values.exportEncryption, password: password ?? values.exportPassword };
}
