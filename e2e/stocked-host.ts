import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from '@playwright/test';
import type { SampleFile } from '../shared/domain/lab.ts';
import { labWorkspaceId } from '../shared/domain/workspace.ts';
import type { HostCalls } from './bench/host-calls.ts';
import { type Vitrine, endedJob, openVitrine, until } from './crashes/vitrine.ts';
import { startProgram } from './program.ts';
import { beginWithStock } from './stocked-lab.ts';

/**
 * What the data of a program begins with, each with all of the one before: nothing, after the welcome; the lab's sample
 * files; its Release.
 */
export type Stock = 'welcomed' | 'sample-files' | 'rules';

/**
 * Data that a host of its own filled before, through the calls of a page, and that no program has open. The first test
 * to want a stock makes it for all processes that run tests: it is among the output of the tests, which the next run
 * removes.
 */
export async function stockHost(stock: Stock, dataDirectory: string): Promise<void> {
  const place = join(test.info().project.outputDir, 'stocked-desks', stock);
  await mkdir(dirname(place), { recursive: true });
  await until(async () => existsSync(place) || (await wasMade(stock, place)) || null);
  await cp(place, dataDirectory, { recursive: true });
}

/** False: another process is at it. */
async function wasMade(stock: Stock, place: string): Promise<boolean> {
  const making = `${place}-making`;
  if (!(await isFirst(making))) return false;
  try {
    if (!existsSync(place)) await rename(await makeStock(stock, join(making, 'data')), place);
    return true;
  } finally {
    await rm(making, { recursive: true });
  }
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** @returns the folder, once no program has it open any more */
async function makeStock(stock: Stock, folder: string): Promise<string> {
  const { before, fill } = stocks[stock];
  if (before === null) await beginWithStock(join(folder, 'lab'));
  else await stockHost(before, folder);
  const program = startProgram('electron/web.ts', ['--port', '0', '--data', folder, '--no-open']);
  await fill(await openVitrine(folder, program));
  if ((await program.stop()) !== 0)
    throw new Error(`the host that prepares test data did not end well:\n${program.output()}`);
  return folder;
}

const stocks: Record<Stock, { before: Stock | null; fill(vitrine: Vitrine): Promise<unknown> }> = {
  welcomed: { before: null, fill: ({ call }) => call('settings.change', { welcomed: true }) },
  'sample-files': { before: 'welcomed', fill: keepSampleFiles },
  rules: { before: 'sample-files', fill: ({ call }) => installNewest(call, labWorkspaceId) },
};

/**
 * All of them by a bulk download, which gives no names; two of them are looked up before and have their names and tags.
 */
async function keepSampleFiles(vitrine: Vitrine): Promise<void> {
  const sampleFiles = await until(() => whenSampleFilesAreThere(vitrine.call));
  await lookUp(vitrine.call, sampleFiles.slice(0, 2));
  const { id } = await vitrine.call('bulk.create', { workspaceId: labWorkspaceId });
  await vitrine.call('bulk.add', { id, hashes: sampleFiles.map(({ md5: hash }) => hash) });
  await vitrine.call('bulk.start', { id });
  const { state, counts } = await endedJob(vitrine, id);
  if (counts.done !== sampleFiles.length) throw new Error(`not all sample files were fetched: the job is ${state}`);
}

/** Null: the lab is not up yet. */
async function whenSampleFilesAreThere(call: HostCalls): Promise<SampleFile[] | null> {
  const { sampleFiles } = await call('lab.sampleFiles', {});
  return sampleFiles.length === 0 ? null : sampleFiles;
}

async function lookUp(call: HostCalls, sampleFiles: readonly SampleFile[]): Promise<void> {
  for (const { md5: hash } of sampleFiles) await call('samples.lookup', { workspaceId: labWorkspaceId, hash });
}

/** The newest rules of a workspace's rule editor, fetched and made the active package. */
export async function installNewest(call: HostCalls, workspaceId: string): Promise<void> {
  await call('publications.check', { workspaceId });
  const sha256 = await until(async () => {
    const { check, candidate } = await call('publications.state', { workspaceId });
    return check === null ? candidate : null;
  });
  await call('publications.activate', { workspaceId, sha256 });
}
