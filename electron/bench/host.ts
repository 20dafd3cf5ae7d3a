import type { z } from 'zod';
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../../shared/contract.ts';
import type { BundleOpening } from '../../shared/domain/bundle.ts';
import { isFinalJob, type Job } from '../../shared/domain/job.ts';
import type { StagedFile } from '../../shared/domain/upload.ts';
import { defaultTimeouts } from '../../shared/domain/workspace.ts';
import { readReply } from '../../shared/transport.ts';
import { compose } from '../compose.ts';
import { createNodePlatform } from '../platform/node-platform.ts';
import type { HostProcess, Platform } from '../platform/platform.ts';

/** The host as the page has it, every service and store of it, without a transport. */
export interface BenchHost {
  /** One operation of the contract. Rejects when it fails: nothing that is measured may. */
  ask<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>>;
  /** Waits for the end of a job. Rejects when that is not `done`. */
  done(id: number): Promise<Job>;
  /** A file that a person dropped, as the desktop stages it. */
  stage(path: string): Promise<StagedFile>;
  /** A bundle that was looked through to its end, or refused. */
  bundle(path: string, passphrase: string): Promise<BundleOpening>;
  /** Waits until a draft can be sent: each of its files is hashed, and known to be no archive or opened. */
  drafted(workspaceId: string): Promise<void>;
  close(): Promise<void>;
}

const outputs: { [N in OperationName]: { output: z.ZodType<OperationOutput<N>> } } = operations;

export async function openHost(dataDirectory: string, exportFolder: string | null): Promise<BenchHost> {
  const { dispatch, events, staging, close } = await compose({
    platform: platformWithoutLab(dataDirectory, exportFolder),
    exportFolder,
  });
  const jobs = new Map<number, Job>();
  const heard = new Set<() => void>();
  events.subscribe((event) => {
    if (event.name !== 'job.changed') return;
    jobs.set(event.payload.id, event.payload);
    for (const listener of heard) listener();
  });
  const ask: BenchHost['ask'] = async (name, input) => {
    const reply = readReply(outputs[name].output, name, await dispatch(name, input));
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.failure)}`);
    return reply.value;
  };
  return {
    ask,
    stage: (path) => staging.stagePath(path),
    bundle: async (path, passphrase) => {
      const { id } = await staging.stagePath(path);
      const looked = new Promise<BundleOpening>((resolve) => {
        const leave = events.subscribe((event) => {
          if (
            event.name !== 'bundles.changed' ||
            event.payload.opening === null ||
            event.payload.opening.state === 'reading'
          )
            return;
          leave();
          resolve(event.payload.opening);
        });
      });
      await ask('bundles.open', { stagedId: id, passphrase });
      return looked;
    },
    drafted: async (workspaceId) => {
      for (;;) {
        const reported = new Promise<void>((resolve) => {
          const leave = events.subscribe(({ name }) => {
            if (name !== 'uploads.changed') return;
            leave();
            resolve();
          });
        });
        const { busy } = await ask('uploads.draft', { workspaceId });
        if (busy === 0) return;
        await reported;
      }
    },
    done: (id) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const job = jobs.get(id);
          if (!job || (!isFinalJob(job) && job.state !== 'paused')) return;
          heard.delete(look);
          if (job.state === 'done') resolve(job);
          else reject(new Error(`job ${id} is ${job.state}: ${JSON.stringify(job.failure)}`));
        };
        heard.add(look);
        look();
      }),
    close,
  };
}

/** The lab is a process of its own: it is not used here, and its start would be measured. */
function platformWithoutLab(dataDirectory: string, exportFolder: string | null): Platform {
  const silent: HostProcess = {
    post: () => {},
    onMessage: () => {},
    onExit: () => {},
    stop: async () => {},
    kill: async () => {},
  };
  const platform = createNodePlatform({ dataDirectory, exportFolder });
  return { ...platform, startProcess: (entry) => (entry === 'lab' ? silent : platform.startProcess(entry)) };
}

/** A workspace for the repository on this computer that the bench serves. */
export async function addRepository(host: BenchHost, baseUrl: string, token = 'bench'): Promise<string> {
  const repository = { baseUrl, token: { kind: 'set' as const, token } };
  const { id } = await host.ask('workspaces.add', {
    name: 'bench',
    repository,
    ruleEditor: null,
    allowHttp: false,
    trust: { kind: 'system' },
    timeouts: defaultTimeouts,
  });
  return id;
}
