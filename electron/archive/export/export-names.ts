/**
 * What a job's export is called until it is finished: by the job alone, so that after a crash it can be found and
 * removed.
 */
export const unfinishedNameOf = (jobId: number): string => `.vitrine-job-${jobId}.part`;

/** `20261118T142936Z_112`, in UTC. */
export const exportStem = (time: Date, samples: number): string => `${time.toISOString().replace(/[-:]|\.\d+/g, '')}_${samples}`;
