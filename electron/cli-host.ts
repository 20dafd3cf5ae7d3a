import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { FailureError } from '../shared/failure.ts';
import type { DoorWanted, OpenedDoor } from './cli/command-line.ts';
import type { Door } from './cli/door.ts';
import { untilInterrupted } from './cli/interruption.ts';
import { OtherVersion } from './cli/other-version.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { locationFile } from './storage/location-file.ts';
import { findDesk } from './transports/local-socket-client.ts';

const tryAgainMs = 100;
/** A desk that is open answers within a turn of its event loop; one that is stopped never does. */
const deskAnswersWithinMs = 5_000;

/**
 * Opens the way to the data: a desk that is open on it, or else a host of this process. Data that another command holds
 * is waited for; a desk that is being opened lets commands in within that time. Fails with `data-in-use` after it, as a
 * host's opening does, and with the signal's reason.
 */
export async function openDoor({ data, waitMs, signal }: DoorWanted, version: string): Promise<OpenedDoor> {
  const choice = {
    named: data === null ? null : resolve(data),
    usual: defaultDataDirectory(process.platform, process.env),
  };
  const endsWaiting = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    const atDesk = await untilInterrupted(signal, openDesk(await directoryOf(choice), version));
    const opened = atDesk ?? (await openOwn(choice, performance.now() < endsWaiting));
    if (opened) return opened;
    await new Promise((goOn) => setTimeout(goOn, tryAgainMs));
  }
}

/**
 * A desk of this version that is open on the data directory; null where none answers, or where the data lies nowhere.
 * Opens no data.
 */
export async function findOpenDesk(data: string | null, version: string): Promise<Door | null> {
  const choice = {
    named: data === null ? null : resolve(data),
    usual: defaultDataDirectory(process.platform, process.env),
  };
  try {
    return (await openDesk(await directoryOf(choice), version))?.door ?? null;
  } catch (error) {
    if (error instanceof OtherVersion || error instanceof FailureError) return null;
    throw error;
  }
}

type Choice = { named: string | null; usual: string };

async function directoryOf(choice: Choice): Promise<string> {
  if (choice.named !== null) return choice.named;
  if (!existsSync(locationFile(choice.usual))) return choice.usual;
  return (await import('./storage/data-location.ts')).findDataDirectory(choice);
}

async function openDesk(dataDirectory: string, version: string): Promise<OpenedDoor | null> {
  const found = await findDesk({ dataDirectory, version, withinMs: deskAnswersWithinMs });
  if (found.kind === 'none') return null;
  if (found.kind === 'other-version') throw new OtherVersion(found.version, version);
  return { door: found.desk, lend: null, lost: found.desk.lost };
}

/** null: somebody has it, who may let go of it or answer soon. */
async function openOwn(choice: Choice, mayWait: boolean): Promise<OpenedDoor | null> {
  try {
    const { openOwnHost } = await import('./cli-own-host.ts');
    const directory = await directoryOf(choice);
    const isNew = !existsSync(directory);
    const { door, lend } = await openOwnHost(choice);
    return { door, lend, lost: new Promise(() => {}), ...(isNew && { created: directory }) };
  } catch (error) {
    if (mayWait && error instanceof FailureError && error.failure.kind === 'data-in-use') return null;
    throw error;
  }
}
