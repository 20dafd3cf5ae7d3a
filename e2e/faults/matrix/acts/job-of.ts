import type { ActScene } from './act.ts';

/** The one job of the scene's workspace. */
export async function jobOf({ vitrine, workspaceId }: ActScene): Promise<number> {
  const { jobs } = await vitrine.call('jobs.list', {});
  const found = jobs.filter((job) => job.workspaceId === workspaceId);
  const [job] = found;
  if (job === undefined || found.length > 1) throw new Error(`the workspace has ${found.length} jobs`);
  return job.id;
}
