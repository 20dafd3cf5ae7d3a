import { startProgram } from '../../program.ts';
import { type Act, type ActScene, type Ending, must } from '../matrix/acts/act.ts';
import { bulkdownload } from '../matrix/acts/bulkdownload.ts';
import { downloadfile } from '../matrix/acts/downloadfile.ts';
import { endOfJob } from '../matrix/acts/job-ending.ts';
import { jobOf } from '../matrix/acts/job-of.ts';
import { tokenWords } from '../matrix/cell.ts';
import type { SeenCell } from '../matrix/cell.ts';
import { cellSample } from '../matrix/cell-sample.ts';
import { eventually, type FaultHost, openFaultHost, repositoryDraft } from '../matrix/fault-host.ts';
import { leftBehind } from '../matrix/matrix.ts';
import { failureWords, requestWords, sentenceWords } from '../matrix/seen-words.ts';
import { type RanRow, runRows } from './fault-row.ts';
import { type ResumeService, startResumeService } from './resume-service.ts';
import type { ResumeRow } from './resumes.ts';

/** Runs rows over one host. Rejects when there is no host. */
export async function runResumes(
  rows: readonly ResumeRow[],
  folder: string,
  report: (ran: RanRow<ResumeRow>) => void,
): Promise<{ ran: RanRow<ResumeRow>[]; left: string[] }> {
  const vitrine = await openFaultHost(folder);
  try {
    const ran = await runRows(rows, (row) => runRow(vitrine, row), report);
    return { ran, left: await leftBehind(vitrine) };
  } finally {
    await vitrine.close();
  }
}

const sizesOf = ({ action, sampleBytes }: ResumeRow): readonly number[] =>
  sampleBytes ?? (action === 'downloadfile' ? [200_000] : [120_000, 150_000]);

async function runRow(vitrine: FaultHost, row: ResumeRow): Promise<SeenCell> {
  const name = `${row.action}, ${row.words}`;
  const samples = sizesOf(row).map((sizeBytes, index) => exactly(`${name} ${index}`, sizeBytes));
  const service = await startResumeService(
    samples.map((sample) => (row.recordIsWrong === true ? { ...sample, sha256: '0'.repeat(64) } : sample)),
  );
  try {
    const { id: workspaceId } = await vitrine.call(
      'workspaces.add',
      repositoryDraft(name.slice(0, 80), service.baseUrl, `${tokenWords}-${row.action}`),
    );
    return await runScene(row, { vitrine, workspaceId, service, samples }, service);
  } finally {
    await service.close();
  }
}

/** Places in a file are easier to follow when it has a round length. */
function exactly(name: string, sizeBytes: number): ReturnType<typeof cellSample> {
  const headBytes = cellSample(name, 0).bytes.length;
  return cellSample(name, sizeBytes - headBytes);
}

async function runScene(row: ResumeRow, scene: ActScene, service: ResumeService): Promise<SeenCell> {
  const act: Act = row.action === 'downloadfile' ? downloadfile : bulkdownload;
  if (row.before !== undefined) await begunBefore(row.before, scene, service);
  service.begin(row.replies);
  const exit = row.action === 'download --resume' ? await resumedByCommand(scene) : null;
  const ending: Ending = exit === null ? await act.does(scene) : await endOfJob(scene.vitrine, await jobOf(scene));
  const kept = await act.kept(scene, ending);
  const seen = {
    ends: exit === null ? ending.state : `${ending.state}; exit ${exit}`,
    failure: failureWords(ending.failure),
    requests: requestWords(service.requests),
    kept,
    sentence: sentenceWords(ending.failure),
  };
  service.end();
  if (row.recordIsWrong === true) return seen;
  const again = await act.doesAgain(scene, ending);
  const keptAtLast = await act.kept(scene, again);
  must(
    keptAtLast === act.wholeKept,
    `a sound call afterwards ends "${again.state}" (${failureWords(again.failure)}), and ${keptAtLast} is kept`,
  );
  return seen;
}

/** A job that has ended, or was paused, with a part of its samples. */
async function begunBefore(
  { replies, isInterrupted }: NonNullable<ResumeRow['before']>,
  scene: ActScene,
  service: ResumeService,
): Promise<void> {
  service.begin(replies);
  if (isInterrupted !== true) return void (await bulkdownload.does(scene));
  const command = program(
    scene,
    scene.samples.map(({ md5 }) => md5),
  );
  await service.inTheMiddle();
  const [first] = scene.samples;
  await eventually('the first sample', async () => {
    const { total } = await scene.vitrine.call('samples.inVault', { find: first?.md5 ?? '', offset: 0, limit: 1 });
    return total === 1 ? true : null;
  });
  must((await command.stop()) === 130, `an interrupted download ended otherwise: ${command.output()}`);
  await endOfJob(scene.vitrine, await jobOf(scene));
}

/** Stops it where it waits for a job that sleeps. @returns its exit code */
async function resumedByCommand(scene: ActScene): Promise<number | null> {
  const command = program(scene, ['--resume', String(await jobOf(scene))]);
  const asleep = command.printed(/resumes automatically at/).then(
    () => command.stop(),
    () => command.exited,
  );
  return Promise.race([command.exited, asleep]);
}

const program = ({ vitrine, workspaceId }: ActScene, args: readonly string[]): ReturnType<typeof startProgram> =>
  startProgram('electron/cli.ts', [
    'download',
    ...args,
    // Their job would be a second one.
    '--no-records',
    '--workspace',
    workspaceId,
    '--data',
    vitrine.dataDirectory,
  ]);
