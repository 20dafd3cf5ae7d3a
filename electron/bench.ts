import { limitYoungGeneration } from './platform/process.ts';

/**
 * What `npm run bench` measures of the host, as a process of its own whose memory can be measured: `bench.ts NAME …`, a
 * name of the list below. Prints one line of JSON and ends. Each loads no more than it measures.
 */
type Command = (args: string[]) => Promise<object>;
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['download', async () => (await import('./bench/download.ts')).benchDownload],
  ['bulk', async () => (await import('./bench/bulk.ts')).benchBulk],
  ['triage', async () => (await import('./bench/triage.ts')).benchTriage],
  ['bundle', async () => (await import('./bench/bundle.ts')).benchBundle],
  ['export', async () => (await import('./bench/export.ts')).benchExport],
  ['stage', async () => (await import('./bench/stage.ts')).benchStage],
  ['open', async () => (await import('./bench/stage.ts')).benchOpen],
  ['gate', async () => (await import('./bench/rules.ts')).benchGate],
  ['difference', async () => (await import('./bench/rules.ts')).benchDifference],
  ['stock', async () => (await import('./bench/scan.ts')).benchStock],
  ['stock-library', async () => (await import('./bench/library.ts')).benchStockLibrary],
  ['hunt', async () => (await import('./bench/scan.ts')).benchHunt],
  ['scan-memory', async () => (await import('./bench/scan.ts')).benchScanMemory],
  ['warm-scan', async () => (await import('./bench/warm-scan.ts')).benchWarmScan],
  ['upload', async () => (await import('./bench/upload.ts')).benchUpload],
]);

limitYoungGeneration();
const [name = '', ...args] = process.argv.slice(2);
const load = commands.get(name);
if (!load) throw new RangeError(`There is no "${name}". There are: ${[...commands.keys()].join(', ')}.`);
const command = await load();
process.stdout.write(`${JSON.stringify(await command(args))}\n`);
