import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobRunner } from './job-runner.ts';

/** A sample as the library goes through them: by a number that rises. */
interface NumberedSample {
  id: number;
  sha256: string;
  md5: string;
  name: string | null;
  sizeBytes: number;
}

/** Samples put into a job before the thread is free again. */
const samplesATurn = 500;

/**
 * Puts samples into a job that has not begun. `pageBehind` reads the next ones behind a number of theirs, none at the
 * end. Fails with `job-too-large`, or as it does.
 */
export async function putIntoJob(
  id: number,
  jobs: Pick<JobRunner, 'add'>,
  pageBehind: (after: number, limit: number) => NumberedSample[],
): Promise<void> {
  for (let page = pageBehind(0, samplesATurn); page.length > 0; page = pageBehind(page.at(-1)?.id ?? 0, samplesATurn)) {
    jobs.add(
      id,
      page.map(({ sha256, md5, name, sizeBytes }) => ({ hash: sha256, sha256, md5, name, sizeBytes })),
    );
    await nextTurn();
  }
}
