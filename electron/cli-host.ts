import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { FailureError } from '../shared/failure.ts';
import type { HostClient } from './cli/client.ts';
import { type ClientRequest, type OpenedClient, OtherVersion } from './cli/command-line.ts';
import { untilInterrupted } from './cli/interruption.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { locationFile } from './storage/directory/location-file.ts';
import { requireOwnData } from './storage/directory/private-files.ts';
import { findHost } from './transports/local-socket-client.ts';

const tryAgainMs = 100;
/** An open Vitrine answers within a turn of its event loop; a stopped one never does. */
const hostAnswersWithinMs = 5_000;

/**
 * Opens the way to the data: an open Vitrine, or else a host of this process. Data that another command holds is waited
 * for; a Vitrine that is being opened lets commands in within that time. Fails with `data-in-use` after it, as a host's
 * opening does, with `not-own` before anything is sent, and with the signal's reason.
 */
export async function openClient({ data, waitMs, signal }: ClientRequest, version: string): Promise<OpenedClient> {
  const choice = {
    named: data === null ? null : resolve(data),
    usual: defaultDataDirectory(process.platform, process.env),
  };
  const endsWaiting = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    const directory = await directoryOf(choice);
    requireOwnData(directory);
    const runningHost = await untilInterrupted(signal, openRunning(directory, version));
    const opened = runningHost ?? (await openOwn(choice, performance.now() < endsWaiting));
    if (opened) return opened;
    await new Promise((goOn) => setTimeout(goOn, tryAgainMs));
  }
}

/**
 * A Vitrine of this version that is open on the data directory; null where none answers, or where the data lies
 * nowhere. Opens no data.
 */
export async function findOpenHost(data: string | null, version: string): Promise<HostClient | null> {
  const choice = {
    named: data === null ? null : resolve(data),
    usual: defaultDataDirectory(process.platform, process.env),
  };
  try {
    return (await openRunning(await directoryOf(choice), version))?.client ?? null;
  } catch (error) {
    if (error instanceof OtherVersion || error instanceof FailureError) return null;
    throw error;
  }
}

type Choice = { named: string | null; usual: string };

async function directoryOf(choice: Choice): Promise<string> {
  if (choice.named !== null) return choice.named;
  if (!existsSync(locationFile(choice.usual))) return choice.usual;
  return (await import('./storage/directory/data-location.ts')).findDataDirectory(choice);
}

async function openRunning(dataDirectory: string, version: string): Promise<OpenedClient | null> {
  const found = await findHost({ dataDirectory, version, withinMs: hostAnswersWithinMs });
  if (found.kind === 'none') return null;
  if (found.kind === 'other-version') throw new OtherVersion(found.version, version);
  return { client: found.host, lend: null, lost: found.host.lost };
}

/** null: another process has it, which may let go of it or answer soon. */
async function openOwn(choice: Choice, mayWait: boolean): Promise<OpenedClient | null> {
  try {
    const { openOwnHost } = await import('./cli-own-host.ts');
    const directory = await directoryOf(choice);
    const isNew = !existsSync(directory);
    const { client, lend } = await openOwnHost(choice);
    return { client, lend, lost: new Promise(() => {}), ...(isNew && { created: directory }) };
  } catch (error) {
    if (mayWait && error instanceof FailureError && error.failure.kind === 'data-in-use') return null;
    throw error;
  }
}
