import { type LabMessage, labPassword, labStart, type LabStart } from '../../shared/domain/lab.ts';
import { FailureError } from '../../shared/failure.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabStores } from './stores/blob-store.ts';
import { openFolderStores } from './stores/folder/folder-stores.ts';

/** Well under the five seconds after which Vitrine kills a process that it asked to end. */
const graceMs = 1_500;

/**
 * Serves the Vitrine process that started this one: its first message contains the address and the token; the answer is
 * `listening` or `failed`. Every later one is a new password of packages. When the parent ends, the lab ends.
 */
export function serveHostChannel(channel: HostChannel, host: NodeJS.Process, report: (error: unknown) => void): void {
  let lab: Promise<Lab | null> = Promise.resolve(null);
  let started = false;
  const end = async (): Promise<void> => {
    // What is still starting can be cut off anywhere: it is built for that.
    const running = await Promise.race([lab, Promise.resolve(null)]);
    await running?.close(graceMs);
    host.exit(0);
  };
  channel.onMessage((message) => {
    if (started) return changePassword(lab, message, report);
    started = true;
    lab = start(channel, labStart.parse(message), report);
  });
  channel.onGone(() => void end());
  // Ctrl-C in a terminal reaches the whole group; Vitrine ends its lab itself, after what still needs it.
  host.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) host.on(signal, () => void end());
}

/** A lab that is still starting has it before it answers the next request. */
function changePassword(lab: Promise<Lab | null>, message: unknown, report: (error: unknown) => void): void {
  const read = labPassword.safeParse(message);
  if (read.success) void lab.then((running) => running?.setPackagePassword(read.data.password));
  else report(new TypeError('Vitrine sent an invalid message'));
}

async function start(
  channel: HostChannel,
  { dataDirectory, port, token, rights }: LabStart,
  report: (error: unknown) => void,
): Promise<Lab | null> {
  try {
    const lab = await startLab({ dataDirectory, port, session: { token, rights }, report });
    channel.post({ kind: 'listening', port: lab.port, sampleFiles: lab.sampleFiles });
    return lab;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    channel.post({ kind: 'failed', failure: error.failure });
    channel.endAfterPosting(1);
    return null;
  }
}

/** The channel to the Vitrine process that started this process. */
interface HostChannel {
  onMessage(listener: (message: unknown) => void): void;
  /** Vitrine ended or disconnected. */
  onGone(listener: () => void): void;
  post(message: LabMessage): void;
  /** Ends this process once what was posted is on its way. */
  endAfterPosting(exitCode: number): void;
}

/** A lab that runs, where it must not. The message is for a person. */
export class LabIsRunning extends Error {
  override readonly name = 'LabIsRunning';
}

/**
 * `otherwise`: how what the command does is done while it runs, as the end of a sentence. @throws LabIsRunning; else
 * fails as `openFolderStores` does
 */
export function openStoppedLab(dataDirectory: string, otherwise: string): Promise<LabStores> {
  return whileStopped(dataDirectory, () => openFolderStores(dataDirectory), `, or ${otherwise}`);
}

/** Opens what only a stopped lab's folder can be opened as. @throws LabIsRunning; else what `open` throws */
export async function whileStopped<T>(dataDirectory: string, open: () => Promise<T>, otherwise = ''): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'data-in-use') throw error;
    throw new LabIsRunning(
      `The lab with the data in ${dataDirectory} is running, by itself or with Vitrine. Stop it first${otherwise}.`,
      { cause: error },
    );
  }
}
