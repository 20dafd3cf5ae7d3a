import { isDeepStrictEqual } from 'node:util';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { compareVersions } from '../../../shared/domain/package-manifest.ts';
import {
  type BrokenRule,
  type CheckProgress,
  type LastCheck,
  type MappedField,
  mappedFields,
  type ReplyMapping,
} from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { Json } from '../../../shared/domain/sample.ts';
import { isAbsent, isUsable, type WorkspaceActions } from '../../../shared/domain/server-action.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Connect, Connection } from '../../api/connections.ts';
import { readVersionReply } from '../../api/replies/version-reply.ts';
import { createRuleEditorApi, type RuleEditorApi } from '../../api/rule-editor-api.ts';
import { findActions, refusedToken } from '../../api/server-actions.ts';
import type { RuleLibrary } from '../../rules/rule-library.ts';
import type { FoundPackage, PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import { exportPackage } from './editor-export.ts';
import { countsOf, libraryKey, type LoadedRules } from './loaded-rules.ts';
import { packageBytesAtMost } from './opened-package.ts';
import { type OpeningWatch, openReceived, type PackageOpeningOptions } from './package-opening.ts';

interface CheckWatch extends OpeningWatch {
  /** No one waits for it: a package that is already the candidate is not fetched again. */
  isByItself: boolean;
}

interface CheckRunOptions extends PackageOpeningOptions {
  connect: Connect;
  /** What is known of the actions of a workspace's servers by now. */
  actions(workspaceId: string): WorkspaceActions;
}

/** What came of a check, not yet written down. */
export interface CheckResult {
  check: LastCheck;
  found: FoundPackage | null;
}

/**
 * Asks the rule editor, fetches what is new, opens and compiles it; of an editor without publications, all files that
 * it keeps. It installs nothing.
 *
 * @throws FailureError the reason why the result could not be determined
 */
export async function runCheck(options: CheckRunOptions, workspaceId: string, watch: CheckWatch): Promise<CheckResult> {
  const { store, connect } = options;
  const { mapping } = store.options(workspaceId);
  const active = await soundActive(options, workspaceId);
  const connection = await connect(workspaceId, 'rule-editor');
  const api = createRuleEditorApi(connection);
  watch.onProgress({ phase: 'asking', done: 0, total: null });
  const reply = await versionReply(options, { workspaceId, connection, api, active }, watch);
  if (reply === null) return exportPackage(options, { workspaceId, api, active }, watch);
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
 * null: the editor has no publications, and its files can be exported instead. It is asked each time, because a newer
 * release of it may have some. What it can do is found out once where that is not known.
 */
async function versionReply(
  { store, actions }: CheckRunOptions,
  {
    workspaceId,
    connection,
    api,
    active,
  }: { workspaceId: string; connection: Connection; api: RuleEditorApi; active: PackageRow | null },
  { signal }: OpeningWatch,
): Promise<Json | null> {
  const { versionWhenNone, includeTest } = store.options(workspaceId);
  try {
    return await api.checkVersion(active?.version ?? versionWhenNone, includeTest, { signal });
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'action-unknown') throw error;
    const canExport = (): boolean => isUsable(actions(workspaceId), 'exportfile');
    const { mayUse } = actions(workspaceId);
    if (!canExport()) await findActions(connection, { signal, withOptional: mayUse });
    if (canExport()) return null;
    const mayHaveIt = mayUse && !isAbsent(actions(workspaceId), 'exportfile');
    const refusal = mayHaveIt ? await refusedToken(connection, { signal }) : null;
    throw refusal === null ? error : new FailureError(refusal);
  }
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

/** The meaning of a reply to `checkpackageversion` for Vitrine. */
type UpdateAnswer =
  | { kind: 'fetch'; id: string; version: string | null }
  | { kind: 'up-to-date'; version: string | null }
  | { kind: 'unsure'; version: string | null; missing: MappedField[] };

/**
 * With nothing installed, any id can be installed, whatever age the service reports. Else it is fetched when the
 * service reports it as newer; when the service does not report that, when its version is another one; and when it is
 * the version that is installed under another id, because its bytes may be others.
 */
function answerIn(reply: Json, mapping: ReplyMapping | null, active: PackageRow | null): UpdateAnswer {
  const read = readVersionReply(reply, mapping);
  const { outdated, version, id } = read;
  if (active === null) return id === null ? unfound(read) : { kind: 'fetch', id, version };
  const isOther = active.source === 'service' && id !== null && active.remoteId !== null && id !== active.remoteId;
  const isSameVersion = version !== null && compareVersions(version, active.version) === 0;
  if (outdated === false || (outdated === null && isSameVersion))
    return isSameVersion && isOther ? { kind: 'fetch', id, version } : { kind: 'up-to-date', version };
  if (id === null || (outdated === null && version === null)) return unsure(read);
  return { kind: 'fetch', id, version };
}

type Read = ReturnType<typeof readVersionReply>;

/** Nothing to install: none is published, or it is unknown. */
const unfound = (read: Read): UpdateAnswer =>
  read.outdated === false ? { kind: 'up-to-date', version: read.version } : unsure(read);
const unsure = (read: Read): UpdateAnswer => ({
  kind: 'unsure',
  version: read.version,
  missing: mappedFields.filter((field) => read[field] === null),
});

const longestReply = 20_000;
const shownReply = (reply: Json): LastCheck['reply'] => JSON.stringify(reply, null, 2).slice(0, longestReply);

interface RecompileOptions {
  library: RuleLibrary;
  rules: LoadedRules;
  store: PackageStore;
}

/**
 * Packages whose rules were compiled with other variables or regular expressions than the workspace wants, the active
 * one first. What a variable is set to changes no rule that compiles.
 */
export function packagesToRecompile(store: PackageStore, workspaceId: string): string[] {
  const options = store.options(workspaceId);
  const requested = typesOf(options.variables);
  const { active, candidate } = store.pointers(workspaceId);
  const rank = (sha256: string): number => (sha256 === active ? 0 : sha256 === candidate ? 1 : 2);
  const isAsRequested = ({ isRelaxed, variables }: PackageRow): boolean =>
    isRelaxed === options.relaxed && isDeepStrictEqual(typesOf(variables), requested);
  const all = store.list(workspaceId).filter((row) => row.contents !== null && !isAsRequested(row));
  return all.map(({ sha256 }) => sha256).toSorted((a, b) => rank(a) - rank(b));
}

const typesOf = (variables: readonly RuleVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name, type }) => [name, type]));

/**
 * Compiles them again, and writes down of each what is broken in it now. @throws FailureError `cancelled`,
 * `worker-ended`, and why a package cannot be opened
 */
export async function recompile(
  { library, rules, store }: RecompileOptions,
  workspaceId: string,
  { signal, onProgress }: OpeningWatch,
): Promise<CheckResult> {
  for (const sha256 of packagesToRecompile(store, workspaceId)) {
    const { relaxed: isRelaxed, variables } = store.options(workspaceId);
    onProgress({ phase: 'opening', done: 0, total: null });
    const { files, refused } = await rules.open(workspaceId, sha256, { signal });
    const gated = await library.gate(libraryKey(workspaceId, sha256), {
      signal,
      files,
      isRelaxed,
      variables,
      unread: unreadOf(refused, store.broken(workspaceId, sha256)),
      onProgress: (done, total) => onProgress({ phase: 'compiling', done, total }),
    });
    const contents = {
      ...store.get(workspaceId, sha256)?.contents,
      files: files.length,
      rules: gated.rules,
      broken: gated.brokenTotal,
      namespaces: gated.namespaces,
      engineWarnings: countsOf(gated.warnings),
    };
    store.recompiled(workspaceId, {
      sha256,
      contents,
      isRelaxed,
      variables,
      broken: gated.broken,
      engineWarnings: gated.warnings,
    });
  }
  return {
    check: { at: currentInstant(), outcome: 'up-to-date', version: null, failure: null, reply: null, missing: [] },
    found: null,
  };
}

/** Some could not be read when the package was put together, and are not in it. */
function unreadOf(refused: readonly BrokenRule[], known: readonly BrokenRule[]): BrokenRule[] {
  const files = new Set(refused.map(({ file }) => file));
  return [...refused, ...known.filter(({ kind, file }) => kind === 'file' && !files.has(file))];
}
