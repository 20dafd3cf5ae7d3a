import type { z } from 'zod';
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../../shared/contract.ts';
import { type StagedFile, stagedFile } from '../../shared/domain/upload.ts';
import { defaultTimeouts } from '../../shared/domain/workspace.ts';
import type { Result } from '../../shared/failure.ts';
import { fileNameHeader, readReply, sessionGrant, sessionHeader } from '../../shared/transport.ts';

/** Asks the web host as another page of its would. Rejects when an operation fails. */
export type HostCalls = <N extends OperationName>(name: N, input: OperationInput<N>) => Promise<OperationOutput<N>>;

export interface HostSession {
  /** The same with a failure as an answer. */
  ask: <N extends OperationName>(name: N, input: OperationInput<N>) => Promise<Result<OperationOutput<N>>>;
  stage(name: string, bytes: Uint8Array): Promise<StagedFile>;
}

/** What an answer of each operation is read by. */
export const outputs: { [N in OperationName]: { output: z.ZodType<OperationOutput<N>> } } = operations;

/** Uses up the link. */
export async function openHostSession(link: string): Promise<HostSession> {
  const { origin, hash } = new URL(link);
  const post = async (path: string, headers: Record<string, string>, body: BodyInit): Promise<unknown> =>
    (await fetch(`${origin}${path}`, { method: 'POST', headers: { origin, ...headers }, body })).json();
  const json = { 'content-type': 'application/json' };
  const granted = valueOf(
    'session',
    readReply(sessionGrant, 'session', await post('/session', json, JSON.stringify({ secret: hash.slice(1) }))),
  );
  const session = { [sessionHeader]: granted.session };
  return {
    ask: async (name, input) =>
      readReply(
        outputs[name].output,
        name,
        await post(`/call/${name}`, { ...json, ...session }, JSON.stringify(input)),
      ),
    stage: async (name, bytes) => {
      const headers = {
        'content-type': 'application/octet-stream',
        [fileNameHeader]: encodeURIComponent(name),
        ...session,
      };
      return valueOf(
        'stage',
        readReply(stagedFile, 'stage', await post('/stage', headers, new Blob([new Uint8Array(bytes)]))),
      );
    },
  };
}

/** Uses up the link. */
export async function openHostCalls(link: string): Promise<HostCalls> {
  const { ask } = await openHostSession(link);
  return async (name, input) => valueOf(name, await ask(name, input));
}

/** Throws for a failure. */
export function valueOf<T>(name: string, result: Result<T>): T {
  if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.failure)}`);
  return result.value;
}

/** A workspace that only has a repository, which is worked in from then on. @returns its id */
export async function workWithRepository(call: HostCalls, baseUrl: string): Promise<string> {
  const { id } = await call('workspaces.add', {
    name: 'Team',
    repository: { baseUrl, token: { kind: 'set', token: 'bench' } },
    ruleEditor: null,
    allowHttp: false,
    trust: { kind: 'system' },
    timeouts: defaultTimeouts,
  });
  await call('workspaces.switch', { id });
  return id;
}
