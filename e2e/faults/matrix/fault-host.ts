import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultRepositoryOptions } from '../../../shared/domain/workspace.ts';
import type { OperationInput } from '../../../shared/contract.ts';
import { type HostCalls, type HostSession, openHostSession, valueOf } from '../../bench/host-calls.ts';
import { startProgram } from '../../program.ts';

/** The web host over a data directory of its own. */
export interface FaultHost extends HostSession {
  call: HostCalls;
  dataDirectory: string;
  close(): Promise<void>;
}

export async function openFaultHost(folder: string, environment: NodeJS.ProcessEnv = {}): Promise<FaultHost> {
  const [dataDirectory, exports] = [join(folder, 'data'), join(folder, 'exports')];
  await mkdir(exports, { recursive: true });
  const args = ['--port', '0', '--data', dataDirectory, '--exports', exports, '--no-open'];
  const program = startProgram('electron/web.ts', args, environment);
  try {
    const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    const session = await openHostSession(link);
    const call: HostCalls = async (name, input) => valueOf(name, await session.ask(name, input));
    return { ...session, call, dataDirectory, close: async () => void (await program.stop()) };
  } catch (error) {
    await program.stop('SIGKILL');
    throw error;
  }
}

/** A workspace with a repository only, with time limits that are short enough for a run. */
export const repositoryDraft = (name: string, baseUrl: string, token: string): OperationInput<'workspaces.add'> => ({
  name,
  repository: { baseUrl, token: { kind: 'set', token } },
  ruleEditor: null,
  allowHttp: true,
  trust: { kind: 'system' },
  timeouts: { connectSeconds: 20, firstByteSeconds: 60, idleSeconds: 10 },
  options: defaultRepositoryOptions,
});

const lookEveryMs = 200;
/** A service that sends a byte a second is given up after a minute, and some actions ask it five times. */
const patienceSeconds = 600;

/** Looks until there is something. Rejects when there is nothing for too long: what was begun did not end. */
export async function eventually<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const givenUpAt = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > givenUpAt) throw new Error(`${what} has no end after ${patienceSeconds} s`);
    await pause(lookEveryMs);
  }
}
