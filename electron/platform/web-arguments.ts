import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDirectory } from './data-directory.ts';

export interface WebArguments {
  port: number;
  /**
   * The directory that was named, the one when nobody names one, and where the data is to be moved, or which backup it
   * is to be made of, before it is opened.
   */
  data: { named: string | null; usual: string; moveTo: string | null; restore: string | null };
  exportFolder: string | null;
  backupFolder: string | null;
  watchFolder: string | null;
  openBrowser: boolean;
}

export type ReadArguments =
  { kind: 'run'; arguments: WebArguments } | { kind: 'help' } | { kind: 'wrong'; sentence: string };

const defaultPort = 47117;

export const webUsage = `Usage: npm start -- [options]
  --port N      port on 127.0.0.1 (default ${defaultPort}, 0: any free port)
  --data DIR    data directory
  --move-data-to DIR
                move the data to an empty folder and use it there from now on
  --restore DIR restore a backup to a data directory that has no data yet
  --exports DIR folder for exports
  --backups DIR folder for the backup
  --watch DIR   folder to watch for new files (turn it on in Settings)
  --no-open     do not open a browser`;

export function readWebArguments(args: string[], environment: NodeJS.ProcessEnv): ReadArguments {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        exports: { type: 'string' },
        backups: { type: 'string' },
        restore: { type: 'string' },
        watch: { type: 'string' },
        'move-data-to': { type: 'string' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { kind: 'wrong', sentence: error instanceof Error ? error.message : String(error) };
  }
  if (values.restore && values['move-data-to'])
    return { kind: 'wrong', sentence: '--restore and --move-data-to cannot be combined' };
  if (values.help) return { kind: 'help' };
  const port = readPort(values.port);
  if (port === null) return { kind: 'wrong', sentence: `--port takes a number from 0 to 65535, not "${values.port}"` };
  return {
    kind: 'run',
    arguments: {
      port,
      data: {
        named: values.data ? resolve(values.data) : null,
        usual: defaultDataDirectory(process.platform, environment),
        moveTo: values['move-data-to'] ? resolve(values['move-data-to']) : null,
        restore: values.restore ? resolve(values.restore) : null,
      },
      exportFolder: values.exports ? resolve(values.exports) : null,
      backupFolder: values.backups ? resolve(values.backups) : null,
      watchFolder: values.watch ? resolve(values.watch) : null,
      openBrowser: !values['no-open'],
    },
  };
}

function readPort(text: string | undefined): number | null {
  if (text === undefined) return defaultPort;
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : null;
}
