import { counted } from '../../../shared/failure-sentence.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { pathOf } from '../typed-path.ts';
import { wrongUsage } from '../usage-error.ts';

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
        terminal.say(`Restoring the backup of ${made}: ${counted(files, 'file')}, ${counted(bytes, 'byte')}`);
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
