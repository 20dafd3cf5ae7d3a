import type { Job } from '../../../shared/domain/job.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, ExitError, wrongUsage } from '../exit.ts';
import { pathOf } from '../given-files.ts';
import { endOf } from '../job-waiting.ts';
import type { VerifiedData } from '../offline.ts';
import { isGiven } from '../option-values.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'back up all local data to a folder',
  usage: ['DIR [--begin-anew]', 'DIR --verify'],
  about:
    'DIR must be empty, missing, or an earlier backup of the same data. Files that it already has are not copied ' +
    'again. "vitrine restore" restores it. If a sample in the vault is missing or damaged, its earlier copy is kept, ' +
    'the sample is listed, and the exit code is 6.',
  examples: ['vitrine backup /media/backup', 'vitrine backup /media/backup --verify'],
  flags: {
    'begin-anew': {
      text: 'start over although the previous backup is missing; first check that its disk is mounted',
    },
    verify: { text: 'read the whole backup and list damaged files; the next backup copies them again' },
  },
  run: async (run) => {
    const [directory, ...more] = run.args;
    if (directory === undefined || more.length > 0) wrongUsage('name one backup folder');
    if (isGiven(run.options, 'verify') && isGiven(run.options, 'begin-anew'))
      wrongUsage('give --verify or --begin-anew, not both');
    if (isGiven(run.options, 'verify')) return verify(run, pathOf(directory));
    const folder = await (await run.client()).nameFolder(pathOf(directory));
    const begun = await run.ask('storage.backUp', {
      folder,
      ...(isGiven(run.options, 'begin-anew') && { startOver: true }),
    });
    if (begun.job === null) throw new ExitError(exitCodes.failed);
    return reported(run, await endOf(run, begun.job));
  },
};

/** Samples that the vault has lost or damaged are in the notices of the job, which keeps some of them. */
async function reported(
  { terminal }: CommandRun,
  { counts, bytes, id, task, notices, noticeCount }: Job,
): Promise<ExitCode> {
  const folder = task.kind === 'backup' ? task.folder : '';
  if (terminal.isData)
    await terminal.value({
      folder,
      copied: counts.done,
      same: counts['already-here'],
      failed: counts.failed,
      kept: noticeCount - counts.failed,
      bytes,
      job: id,
      notices,
      noticeCount,
    });
  else
    await terminal.line(`${folder}  ${counted(counts.done, 'file')} copied, ${many(counts['already-here'])} unchanged`);
  for (const notice of notices) {
    if (notice.kind === 'backup-missed')
      terminal.complain(
        `Not in the backup: ${notice.sha256} cannot be read from the vault, and no earlier backup has it.`,
      );
    if (notice.kind === 'backup-kept')
      terminal.complain(`Earlier copy kept in the backup: ${notice.sha256} is missing from the vault or damaged.`);
  }
  if (noticeCount > notices.length)
    terminal.complain(
      `${counted(noticeCount - notices.length, 'more sample')}. In all: ${many(counts.failed)} not in the backup, ` +
        `${many(noticeCount - counts.failed)} with an earlier copy.`,
    );
  return noticeCount > 0 ? exitCodes.data : exitCodes.done;
}

async function verify({ terminal, ...run }: CommandRun, path: string): Promise<ExitCode> {
  let [read, all] = [0, 0];
  const found = await run.verifyBackup({
    backup: path,
    onBegin: ({ bytes }) => {
      all = bytes;
    },
    onBytes: (bytes) => {
      read += bytes;
      run.signal.throwIfAborted();
      terminal.progress(`Verifying: ${all === 0 ? 0 : Math.min(99, Math.floor((100 * read) / all))} %`);
    },
  });
  terminal.progress(null);
  if (terminal.isData) await terminal.value(found);
  else await report(terminal, found);
  return found.damaged > 0 ? exitCodes.data : exitCodes.done;
}

async function report(
  terminal: CommandRun['terminal'],
  { folder, files, damaged, named }: VerifiedData,
): Promise<void> {
  const state = damaged === 0 ? 'all intact' : `${many(damaged)} damaged`;
  await terminal.line(`${folder}  ${counted(files, 'file')}, ${state}`);
  for (const path of named) await terminal.line(`  ${path}`);
  if (damaged > 0) terminal.complain('The next backup copies damaged files again if they are still here.');
}

export const restore: Command = {
  name: 'restore',
  summary: 'restore a backup to a new data directory',
  usage: ['DIR --data NEW'],
  about:
    'Every file is verified before the directory can be opened. NEW must be empty or missing: a restore never ' +
    'replaces data. Without --data, NEW is the default data directory.',
  examples: ['vitrine restore /media/backup --data restored/'],
  run: async ({ args, terminal, ...run }) => {
    const [directory, ...more] = args;
    if (directory === undefined || more.length > 0) wrongUsage('name one backup folder');
    let [copied, all] = [0, 0];
    const restored = await run.restore({
      backup: pathOf(directory),
      onBegin: ({ files, bytes, made }) => {
        all = bytes;
        terminal.print(`Restoring the backup of ${made}: ${counted(files, 'file')}, ${counted(bytes, 'byte')}`);
      },
      onBytes: (bytes) => {
        copied += bytes;
        run.signal.throwIfAborted();
        terminal.progress(`Restoring: ${all === 0 ? 0 : Math.min(99, Math.floor((100 * copied) / all))} %`);
      },
    });
    terminal.progress(null);
    if (terminal.isData) await terminal.value(restored);
    else await terminal.line(`${restored.directory}  ${counted(restored.files, 'file')} restored`);
    return exitCodes.done;
  },
};
