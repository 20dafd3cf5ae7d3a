import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from '@playwright/test';
import type { Specimen } from '../shared/domain/lab.ts';
import { labWorkspaceId } from '../shared/domain/workspace.ts';
import type { HostCalls } from './bench/host-calls.ts';
import { type Desk, endedJob, openDesk, until } from './crashes/desk.ts';
import { startProgram } from './program.ts';
import { beginWithStock } from './stocked-lab.ts';

/**
 * What the data of a desk begins with, each with all of the one before: nothing, with the welcome behind it; the lab's
 * specimens; its Release.
 */
export type DeskStock = 'welcomed' | 'specimens' | 'rules';

/**
 * The data of a desk that was filled before, by a host of its own and as a page asks it, and that no program has open.
 * The first test to want a stock has it made, for all processes that run tests: it lies among what the tests leave,
 * which the next run takes away.
 */
export async function beginDeskWith(stock: DeskStock, dataDirectory: string): Promise<void> {
  const place = join(test.info().project.outputDir, 'stocked-desks', stock);
  await mkdir(dirname(place), { recursive: true });
  await until(async () => existsSync(place) || (await wasMade(stock, place)) || null);
  await cp(place, dataDirectory, { recursive: true });
}

/** False: another process is at it. */
async function wasMade(stock: DeskStock, place: string): Promise<boolean> {
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
async function makeStock(stock: DeskStock, folder: string): Promise<string> {
  const { before, fill } = stocks[stock];
  if (before === null) await beginWithStock(join(folder, 'lab'));
  else await beginDeskWith(before, folder);
  const program = startProgram('electron/web.ts', ['--port', '0', '--data', folder, '--no-open']);
  await fill(await openDesk(folder, program));
  if ((await program.stop()) !== 0)
    throw new Error(`the desk that others are to begin with did not end well:\n${program.output()}`);
  return folder;
}

const stocks: Record<DeskStock, { before: DeskStock | null; fill(desk: Desk): Promise<unknown> }> = {
  welcomed: { before: null, fill: ({ call }) => call('settings.change', { welcomed: true }) },
  specimens: { before: 'welcomed', fill: keepSpecimens },
  rules: { before: 'specimens', fill: ({ call }) => installNewest(call, labWorkspaceId) },
};

/**
 * All of them by a bulk download, which tells no names; two of them are looked up before and have their names and tags.
 */
async function keepSpecimens(desk: Desk): Promise<void> {
  const specimens = await until(() => specimensOnceThere(desk.call));
  await lookUp(desk.call, specimens.slice(0, 2));
  const { id } = await desk.call('bulk.create', { workspaceId: labWorkspaceId });
  await desk.call('bulk.add', { id, hashes: specimens.map(({ md5: hash }) => hash) });
  await desk.call('bulk.start', { id });
  const { state, counts } = await endedJob(desk, id);
  if (counts.done !== specimens.length) throw new Error(`not all specimens were fetched: the job is ${state}`);
}

/** Null: the lab is not up yet. */
async function specimensOnceThere(call: HostCalls): Promise<Specimen[] | null> {
  const { specimens } = await call('lab.specimens', {});
  return specimens.length === 0 ? null : specimens;
}

async function lookUp(call: HostCalls, specimens: readonly Specimen[]): Promise<void> {
  for (const { md5: hash } of specimens) await call('samples.lookup', { workspaceId: labWorkspaceId, hash });
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
