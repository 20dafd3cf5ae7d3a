import { exitCodes } from '../exit-codes.ts';
import type { Command } from '../command.ts';
import { pathOf } from '../typed-path.ts';
import { wrongUsage } from '../usage-error.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'make a data directory of a backup',
  usage: `vitrine restore DIR --data NEW

Every file is compared with what was backed up before the directory can be opened. NEW is empty, or not there: nothing is restored over data.
Without --data it is the usual data directory.`,
  options: {},
  run: async ({ args, terminal, ...run }) => {
    const [directory, ...more] = args;
    if (directory === undefined || more.length > 0) wrongUsage('name the folder of one backup');
    let [copied, all] = [0, 0];
    const restored = await run.restore({
      backup: pathOf(directory),
      onBegin: ({ files, bytes, made }) => {
        all = bytes;
        terminal.say(
          `Restoring the backup of ${made}: ${files.toLocaleString('en')} files, ${bytes.toLocaleString('en')} bytes`,
        );
      },
      onBytes: (bytes) => {
        copied += bytes;
        run.signal.throwIfAborted();
        terminal.progress(`Restoring: ${all === 0 ? 0 : Math.min(99, Math.floor((100 * copied) / all))} %`);
      },
    });
    terminal.progress(null);
    if (terminal.isJson) await terminal.json(restored);
    else await terminal.line(`${restored.directory}  ${restored.files.toLocaleString('en')} files restored`);
    return exitCodes.done;
  },
};
