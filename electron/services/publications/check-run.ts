import { currentInstant } from '../../../shared/domain/clock.ts';
import type { CheckProgress, LastCheck } from '../../../shared/domain/publication.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import { createRuleEditorApi, type RuleEditorApi } from '../../api/rule-editor-api.ts';
import type { FoundPackage, PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import { packageBytesAtMost } from './package-limits.ts';
import { type OpeningWatch, openReceived, type PackageOpeningOptions } from './package-opening.ts';
import { answerIn, shownReply, type UpdateAnswer } from './update-answer.ts';

export interface CheckWatch extends OpeningWatch {
  /** Nobody waits for it: what is here as the candidate already is not fetched again. */
  isByItself: boolean;
}

export interface CheckRunOptions extends PackageOpeningOptions {
  connect: Connect;
}

/** What came of a check, not yet written down. */
export interface CheckResult {
  check: LastCheck;
  found: FoundPackage | null;
}

/**
 * Asks the rule editor, fetches what is new, opens and compiles it. Nothing is installed by it.
 * @throws FailureError whatever kept it from being told
 */
export async function runCheck(options: CheckRunOptions, workspaceId: string, watch: CheckWatch): Promise<CheckResult> {
  const { store, connect } = options;
  const { mapping, versionWhenNone, includeTest } = store.options(workspaceId);
  const active = await soundActive(options, workspaceId);
  const api = createRuleEditorApi(await connect(workspaceId, 'rule-editor'));
  watch.onProgress({ phase: 'asking', done: 0, total: null });
  const reply = await api.checkVersion(active?.version ?? versionWhenNone, includeTest, { signal: watch.signal });
  const answer = answerIn(reply, mapping, active);
  const check: LastCheck = {
    at: currentInstant(),
    outcome: answer.kind === 'fetch' ? 'found' : answer.kind,
    version: answer.version?.slice(0, 200) ?? null,
    failure: null,
    reply: shownReply(reply),
    missing: answer.kind === 'unsure' ? answer.missing : [],
  };
  if (answer.kind !== 'fetch' || (watch.isByItself && isCandidate(store, workspaceId, answer.id)))
    return { check, found: null };
  const found = await fetched(options, workspaceId, api, answer, watch);
  return found.sha256 === store.pointers(workspaceId).active
    ? { check: { ...check, outcome: 'up-to-date' }, found: null }
    : { check, found };
}

/**
 * null also for one whose bytes are gone or altered: whatever the service has is fetched then, the same version too.
 */
async function soundActive({ store, packages }: CheckRunOptions, workspaceId: string): Promise<PackageRow | null> {
  const { active } = store.pointers(workspaceId);
  if (active === null) return null;
  try {
    await packages.check(workspaceId, active);
  } catch (error) {
    if (
      error instanceof FailureError &&
      (error.failure.kind === 'package-missing' || error.failure.kind === 'vault-damaged')
    )
      return null;
    throw error;
  }
  return store.get(workspaceId, active);
}

function isCandidate(store: PackageStore, workspaceId: string, remoteId: string): boolean {
  const { candidate } = store.pointers(workspaceId);
  const row = candidate === null ? null : store.get(workspaceId, candidate);
  return row !== null && row.remoteId === remoteId && row.contents !== null;
}

async function fetched(
  options: CheckRunOptions,
  workspaceId: string,
  api: RuleEditorApi,
  { id, version }: Extract<UpdateAnswer, { kind: 'fetch' }>,
  watch: OpeningWatch,
): Promise<FoundPackage> {
  const { publicLink, encrypted } = options.store.options(workspaceId);
  const reply = await api.downloadPublication(id, { publicLink, encrypted }, { signal: watch.signal });
  const chunks = counted(reply.chunks, reply.expectedBytes, watch.onProgress);
  const received = await options.packages.receive(workspaceId, chunks, { atMostBytes: packageBytesAtMost });
  return openReceived(
    options,
    workspaceId,
    received,
    { source: 'service', remoteId: id, version, fileName: null, manifest: null },
    watch,
  );
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  total: number | null,
  onProgress: (progress: CheckProgress) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let done = 0;
  onProgress({ phase: 'fetching', done, total });
  for await (const chunk of chunks) {
    done += chunk.length;
    yield chunk;
    onProgress({ phase: 'fetching', done, total });
  }
}
