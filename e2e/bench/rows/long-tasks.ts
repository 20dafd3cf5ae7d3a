import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { defaultTimeouts } from '../../../shared/domain/workspace.ts';
import type { HostCalls } from '../host-calls.ts';
import type { Measured, Row, RowSettings } from '../row.ts';
import { wheelDownAndUp } from '../scroll.ts';
import { viewsNavigation, type Standstills, standstillsOf } from '../standstills.ts';
import { openWebHostPage, type WebHostPage } from '../web-host-page.ts';
import { serve, type Served } from './bulk.ts';
import { writeFiles } from './stage.ts';
import { reviewStandstills } from './upload-review.ts';

/**
 * The page shows a bulk download, scrolled up and down, while ten thousand outcomes stream in; then the same once they
 * are all there. Then ten thousand files are reviewed for an upload.
 */
export const longTasks: Row = {
  name: 'long-tasks',
  reference: 'the same table, scrolled in the same way, when complete',
  limit: 'Drawing one window of rows in the page: new outcomes change what is counted, not what is drawn.',
  aim: null,
  must: null,
  residentMustMiB: null,
  longestMustMs: 50,
  measure: standstills,
};

async function standstills({ folder, quick }: RowSettings): Promise<Measured> {
  const served = await serve(folder, { samples: quick ? 2000 : 10_000, bytesEach: 4096 });
  const vitrine = await openWebHostPage(folder);
  try {
    const id = await draftOf(vitrine.call, served);
    const streaming = await whileStreaming(vitrine, id);
    const still = await whenAllIsThere(vitrine, id);
    const files = quick ? 1000 : 10_000;
    const longest = [
      { what: 'page', ...streaming.page },
      { what: 'host', ...streaming.host },
      { what: 'page afterwards', ...still.page },
      ...(await reviewStandstills(vitrine, await writeFiles(join(folder, 'picked'), files, 4096), files)),
    ];
    return { ratio: streaming.page.ms / Math.max(still.page.ms, shortestReported), residentMiB: null, longest };
  } finally {
    await vitrine.close();
  }
}

/** Below this, in milliseconds, the value shows only the timers' own unevenness. */
const shortestReported = 1;

async function draftOf(call: HostCalls, { baseUrl, set }: Served): Promise<number> {
  const repository = { baseUrl, token: { kind: 'set' as const, token: 'bench' } };
  const draft = {
    name: 'bench',
    repository,
    ruleEditor: null,
    allowHttp: false,
    trust: { kind: 'system' as const },
    timeouts: defaultTimeouts,
  };
  const { id: workspaceId } = await call('workspaces.add', draft);
  const { id } = await call('bulk.create', { workspaceId });
  const hashes = (await readFile(set.listPath, 'utf8')).trim().split('\n');
  for (let at = 0; at < hashes.length; at += 5000) await call('bulk.add', { id, hashes: hashes.slice(at, at + 5000) });
  return id;
}

async function whileStreaming(vitrine: WebHostPage, id: number): Promise<Standstills> {
  return standstillsOf(vitrine, async () => {
    await vitrine.call('bulk.start', { id });
    const table = await openJob(vitrine.page, id);
    while (!(await isOver(vitrine.call, id))) await wheelDownAndUp(vitrine.page, table);
  });
}

/** In a page that is loaded again: nothing is left of the first. */
async function whenAllIsThere(vitrine: WebHostPage, id: number): Promise<Standstills> {
  await vitrine.page.reload();
  return standstillsOf(vitrine, async () => {
    const table = await openJob(vitrine.page, id);
    for (let time = 0; time < 5; time += 1) await wheelDownAndUp(vitrine.page, table);
  });
}

async function isOver(call: HostCalls, id: number): Promise<boolean> {
  const { jobs } = await call('jobs.list', {});
  const job = jobs.find((one) => one.id === id);
  if (job?.state === 'paused' || job?.state === 'cancelled')
    throw new Error(`job ${id} is ${job.state}: ${JSON.stringify(job.failure)}`);
  return job?.state === 'done';
}

async function openJob(page: Page, id: number): Promise<Locator> {
  await viewsNavigation(page).getByRole('button', { name: 'Activity' }).click();
  const table = page.getByRole('region', { name: `Job ${id}`, exact: true }).getByRole('grid');
  await table.waitFor();
  return table;
}
