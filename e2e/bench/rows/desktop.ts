import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { startDesktop } from '../../desktop.ts';
import { callsOverBridge } from '../../host-calls.ts';
import { eicarMd5 } from '../../eicar.ts';
import { LookupPage } from '../../pages/lookup-page.ts';
import { WelcomePage } from '../../pages/welcome-page.ts';
import {
  emptyStartSeconds,
  makeEmptyProgram,
  proportionalMiB,
  vitrineStartSeconds,
  windowsMissing,
} from '../desktop-windows.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';
import { settled } from './bulk.ts';

/** With data that an earlier start has left, to a look-up that can be typed into. */
export const desktopStart: Row = {
  name: 'desktop-start',
  reference: 'an empty Electron window, until it is shown',
  limit:
    'The runtime alone is 1: its processes, and its first frame. Then the host opens the data, the page is loaded ' +
    'and React draws a view.',
  aim: 2,
  must: 3,
  residentMustMiB: null,
  missing: windowsMissing,
  measure: compareStarts,
};

/** All processes: main, page, GPU, network, the lab, and what scans. */
export const desktopMemory: Row = {
  name: 'desktop-memory',
  reference: 'memory of all processes of an empty Electron window',
  limit:
    'The lab is a separate process with the same runtime; the page holds React and the view, the host its ' +
    'database.',
  aim: 1.8,
  must: 2.2,
  residentMustMiB: null,
  missing: windowsMissing,
  measure: compareMemory,
};

async function compareStarts({ folder, quick }: RowSettings): Promise<Measured> {
  const empty = await makeEmptyProgram(folder);
  const places = await makePlaces(folder);
  await passWelcome(places);
  const ratios: number[] = [];
  for (let round = 0; round < (quick ? 3 : 7); round += 1) {
    await settled();
    const reference = await emptyStartSeconds(empty);
    ratios.push((await vitrineStartSeconds(places.dataDirectory)) / reference);
  }
  return { ratio: median(ratios), residentMiB: null };
}

interface Places {
  folder: string;
  dataDirectory: string;
  exportFolder: string;
}

async function makePlaces(folder: string): Promise<Places> {
  const places = { folder, dataDirectory: join(folder, 'data'), exportFolder: join(folder, 'exports') };
  for (const place of [places.dataDirectory, places.exportFolder, join(folder, 'temp')])
    await mkdir(place, { recursive: true });
  return places;
}

/** The first start makes the database and fills the lab. */
async function passWelcome(places: Places): Promise<void> {
  const { page, stop } = await startDesktop(places);
  await new WelcomePage(page).skip();
  await callsOverBridge(page)('samples.lookup', { workspaceId: labWorkspaceId, hash: eicarMd5 });
  await stop();
}

async function compareMemory({ folder }: RowSettings): Promise<Measured> {
  const empty = await makeEmptyProgram(folder);
  const ours = await memoryAfterMainPath(await makePlaces(folder));
  const app = await _electron.launch({ args: [empty], chromiumSandbox: true });
  await app.firstWindow();
  await settled();
  const reference = await proportionalMiB(app.process().pid ?? 0);
  await app.close();
  return { ratio: ours / reference, residentMiB: ours };
}

async function memoryAfterMainPath(places: Places): Promise<number> {
  const { app, page, stop } = await startDesktop(places);
  await new WelcomePage(page).skip();
  const lookup = new LookupPage(page);
  await lookup.ask(eicarMd5);
  await lookup.download();
  await lookup.exportToFolder('AES-256');
  await settled();
  const held = await proportionalMiB(app.process().pid ?? 0);
  await stop();
  return held;
}
