import { once } from 'node:events';
import type { Server } from 'node:http';
import { expect } from 'vitest';
import { defaultTimeouts } from '../../../shared/domain/workspace.ts';
import type { Connect } from '../../api/connections.ts';
import { idleRuns } from '../../jobs/idle-runs.fixture.ts';
import { JobRunner, type JobRunnerOptions } from '../../jobs/job-runner.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Vault } from '../../vault/vault.ts';

/** Every workspace has its services at this address. */
export const connectTo =
  (baseUrl: string, { timeouts = defaultTimeouts, token = 'any' } = {}): Connect =>
  async (_, service) => ({
    service,
    baseUrl,
    token,
    trust: { kind: 'system' },
    timeouts,
    proxyFor: async () => null,
    basic: null,
    clientCertificate: null,
  });

/** @returns the address of the server, which listens at a free port of this computer */
export async function listenLocally(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : expect.fail('no address');
}

/** Puts a sample into the vault and the library. @returns its SHA-256 */
export async function keepSample(
  vault: Pick<Vault, 'receive'>,
  { library }: Pick<Stores, 'library'>,
  bytes: Uint8Array,
  workspaceId = 'lab',
): Promise<string> {
  const receiver = vault.receive();
  await receiver.write(bytes);
  const { md5, sha1, sha256, sizeBytes } = await receiver.finish({ md5: null, sha256: null });
  library.recordDownload({ workspaceId, md5, hashes: { md5, sha1, sha256 }, sizeBytes, outcome: 'done' });
  return sha256;
}

/** Real jobs, not started. `throwDefects` throws what broke any of them. */
export function createTestJobs(
  { jobs: store }: Pick<Stores, 'jobs'>,
  { runs, ...options }: Omit<Partial<JobRunnerOptions>, 'runs'> & { runs: Partial<JobRunnerOptions['runs']> },
): { jobs: JobRunner; throwDefects(): void } {
  const defects: unknown[] = [];
  const jobs = new JobRunner({
    store,
    runs: { ...idleRuns, ...runs },
    report: () => {},
    forgotten: () => {},
    keepAwake: () => () => {},
    logDefect: (_id, _operation, error) => void defects.push(error),
    ...options,
  });
  const throwDefects = (): void => {
    if (defects.length > 0) throw new AggregateError(defects, 'defects of jobs');
  };
  return { jobs, throwDefects };
}
