/**
 * What a job's export is called until it is finished: by the desk and the job alone, so that after a crash it can be found and removed, and another
 * desk's, which may write into the same folder, is left alone. `desk`: see `BackupStore.deskId`.
 */
export const unfinishedNameOf = (desk: string, jobId: number): string => `.vitrine-${desk.slice(0, deskDigits)}-job-${jobId}.part`;

const deskDigits = 12;

/** `20261118T142936Z_112`, in UTC. */
export const exportStem = (time: Date, samples: number): string => `${time.toISOString().replace(/[-:]|\.\d+/g, '')}_${samples}`;
