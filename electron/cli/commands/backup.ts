import type { Job } from '../../../shared/domain/job.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { isGiven } from '../option-values.ts';
import type { VerifiedDesk } from '../restoring.ts';
import { pathOf } from '../typed-path.ts';
import { wrongUsage } from '../usage-error.ts';
import { endOf } from '../waiting-for-a-job.ts';
import { Told } from '../told.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'back up all local data to a folder',
  usage: ['DIR [--begin-anew]', 'DIR --verify'],
  about:
    'DIR is empty, missing, or an earlier backup of the same data; files it already has are not copied again. ' +
    '"vitrine restore" restores it. If the vault has lost or damaged a sample, its earlier copy stays in the ' +
    'backup, the sample is named, and the exit code is 6.',
  examples: ['vitrine backup /media/backup', 'vitrine backup /media/backup --verify'],
  flags: {
    'begin-anew': {
      text: 'start over if the previous backup is missing; without it this is refused, as its disk may not be mounted',
    },
    verify: { text: 'read the whole backup and name damaged files; the next backup copies them again' },
  },
  run: async (run) => {
    const [directory, ...more] = run.args;
    if (directory === undefined || more.length > 0) wrongUsage('name one folder for the backup');
    if (isGiven(run.options, 'verify') && isGiven(run.options, 'begin-anew'))
      wrongUsage('one of --verify and --begin-anew');
    if (isGiven(run.options, 'verify')) return verify(run, pathOf(directory));
    const folder = await (await run.door()).nameFolder(pathOf(directory));
    const begun = await run.ask('storage.backUp', {
      folder,
      ...(isGiven(run.options, 'begin-anew') && { beginAnew: true }),
    });
    if (begun.job === null) throw new Told(exitCodes.failed);
    return told(run, await endOf(run, begun.job));
  },
};

/**
 * Samples that the vault has not as they were written: each is told of by a notice of the job, of which it keeps some.
 */
async function told(
  { terminal }: CommandRun,
  { counts, bytes, id, task, notices, noticeCount }: Job,
): Promise<ExitCode> {
  const folder = task.kind === 'backup' ? task.folder : '';
  if (terminal.isJson)
    await terminal.json({
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
    await terminal.line(
      `${folder}  ${counts.done.toLocaleString('en')} files copied, ${counts['already-here'].toLocaleString('en')} there already`,
    );
  for (const notice of notices) {
    if (notice.kind === 'backup-missed')
      terminal.complain(
        `Not in the backup, because the vault cannot read it and no earlier backup has it: ${notice.sha256}`,
      );
    if (notice.kind === 'backup-kept')
      terminal.complain(
        `In the backup as it was before, because the vault has it no more, or damaged: ${notice.sha256}`,
      );
  }
  if (noticeCount > notices.length)
    terminal.complain(
      `${(noticeCount - notices.length).toLocaleString('en')} more samples are not named: ${counts.failed.toLocaleString('en')} in all are not in the backup, ${(noticeCount - counts.failed).toLocaleString('en')} are in it as they were before.`,
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
      terminal.progress(`Reading the backup: ${all === 0 ? 0 : Math.min(99, Math.floor((100 * read) / all))} %`);
    },
  });
  terminal.progress(null);
  if (terminal.isJson) await terminal.json(found);
  else await tell(terminal, found);
  return found.damaged > 0 ? exitCodes.data : exitCodes.done;
}

async function tell(terminal: CommandRun['terminal'], { folder, files, damaged, named }: VerifiedDesk): Promise<void> {
  await terminal.line(
    `${folder}  ${files.toLocaleString('en')} files, ${damaged === 0 ? 'all as they were copied' : `${damaged.toLocaleString('en')} damaged`}`,
  );
  for (const path of named) await terminal.line(`  ${path}`);
  if (damaged > 0) terminal.complain('The next backup copies anew what is still here.');
}
