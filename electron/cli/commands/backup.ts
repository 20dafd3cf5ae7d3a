import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { isGiven } from '../option-values.ts';
import { wrongUsage } from '../usage-error.ts';
import { endOf } from '../waiting-for-a-job.ts';
import { Told } from '../told.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'copy all that this desk keeps to a folder',
  usage: `vitrine backup DIR [--begin-anew]

DIR is empty, not there yet, or an earlier backup of this desk: what it has already is not copied again.
"vitrine restore" makes a desk of it.

  --begin-anew    also where the last backup was and is not any more; without it that is refused, as its disk may not be mounted`,
  options: { 'begin-anew': { type: 'boolean' } },
  run: async (run) => {
    const [directory, ...more] = run.args;
    if (directory === undefined || more.length > 0) wrongUsage('name one folder for the backup');
    const folder = await (await run.door()).nameFolder(resolve(directory));
    const begun = await run.ask('storage.backUp', { folder, ...(isGiven(run.options, 'begin-anew') && { beginAnew: true }) });
    if (begun.job === null) throw new Told(exitCodes.failed);
    const { counts, bytes, id, task } = await endOf(run, begun.job);
    const path = task.kind === 'backup' ? task.folder : directory;
    if (run.terminal.isJson) await run.terminal.json({ folder: path, copied: counts.done, same: counts['already-here'], failed: counts.failed, bytes, job: id });
    else await run.terminal.line(`${path}  ${counts.done.toLocaleString('en')} files copied, ${counts['already-here'].toLocaleString('en')} there already`);
    return counts.failed > 0 ? exitCodes.data : exitCodes.done;
  },
};
