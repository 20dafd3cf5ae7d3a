import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { OperationOutput, OperationRequest } from '../../shared/contract.ts';
import {
  actionsOf,
  type ActionState,
  isUsable,
  optionalActions,
  type ServerAction,
  type WorkspaceActions,
} from '../../shared/domain/server-action.ts';
import { readLibraryQuery } from '../../shared/domain/library-query.ts';
import { queryProblemSentence } from '../../shared/domain/query-problems.ts';
import {
  type FoundSample,
  isSamePart,
  partsOf,
  type QuerySearch,
  type RecordChange,
  recordPart,
  type RecordPart,
  type ReplaceableParts,
} from '../../shared/domain/server-record.ts';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import { labWorkspaceId, type RepositoryOptions } from '../../shared/domain/workspace.ts';
import { type ServiceName, serviceName } from '../../shared/failure-kinds.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import type { Connect } from '../api/connections.ts';
import { createRepositoryApi, type RepositoryApi } from '../api/repository-api.ts';
import { findActions } from '../api/server-actions.ts';
import type { Journal } from '../storage/journal/journal.ts';
import { listComments } from '../storage/library/library-records.ts';
import type { LibraryStore } from '../storage/library/library-store.ts';
import type { ServerActionStore } from '../storage/settings/server-actions.ts';

interface WorkspaceServers {
  repository: { baseUrl: string } | null;
  ruleEditor: { baseUrl: string } | null;
  options: Pick<RepositoryOptions, 'optionalActions'>;
}

export interface ServersOptions {
  connect: Connect;
  store: Pick<ServerActionStore, 'of'>;
  library: Pick<LibraryStore, 'noteRecord' | 'commentsInSteps'>;
  journal: Pick<Journal, 'append'>;
  workspace(id: string): WorkspaceServers | null;
  /** Milliseconds since 1970. */
  now?(): number;
}

const services = serviceName.options;
/** Tags of a repository are requested again after this time. */
const tagsKeptMs = 10 * 60 * 1000;
const mostTags = 2000;
/** A documented action counts as missing for so long. */
const absentForMs = 24 * 60 * 60 * 1000;
/**
 * A page of the releases that are known has 40 samples, less those whose files they lost: a page of half of that may be
 * followed by another one.
 */
const shortestFullPage = 20;
/** Samples of a page of a search by query. */
const queryPage = 100;
/**
 * A joined list up to this length in bytes is whole: database servers cut at 1,024, as they are set up by default
 * (MySQL, `group_concat_max_len`), and what is cut off may have been repetitions.
 */
const surelyWholeBytes = 900;

/** What the servers of a workspace can do, and the actions that not every server has (docs/services.md, "Releases"). */
export class Servers {
  readonly #options: ServersOptions & { now(): number };
  readonly #finding = new Map<string, Promise<void>>();
  readonly #tags = new Map<string, { address: string; tags: string[]; at: number }>();

  constructor(options: ServersOptions) {
    this.#options = { now: () => Date.now(), ...options };
  }

  actions(workspaceId: string): WorkspaceActions {
    if (workspaceId === labWorkspaceId) return labActions;
    const workspace = this.#workspace(workspaceId);
    const of = (service: ServiceName): ActionState[] => {
      const baseUrl = addressOf(workspace, service);
      const known = baseUrl === null ? [] : this.#options.store.of({ workspaceId, service, baseUrl });
      return known.map((one) => (this.#isOver(one) ? { ...one, state: 'unknown' } : one));
    };
    return { mayUse: workspace.options.optionalActions, actions: services.flatMap(of) };
  }

  /** A documented action that was missing may have come with a new release: the next use tries it once more. */
  #isOver({ action, state, seen }: ActionState): boolean {
    if (state !== 'absent' || seen === null || optionalActions.has(action)) return false;
    return this.#options.now() - Date.parse(seen) > absentForMs;
  }

  mayUse(workspaceId: string, action: ServerAction): boolean {
    return isUsable(this.actions(workspaceId), action);
  }

  /** Of several callers at once, one asks. */
  async findActions(workspaceId: string): Promise<WorkspaceActions> {
    if (workspaceId === labWorkspaceId) return labActions;
    const running = this.#finding.get(workspaceId) ?? this.#find(workspaceId);
    this.#finding.set(workspaceId, running);
    try {
      await running;
    } finally {
      this.#finding.delete(workspaceId);
    }
    return this.actions(workspaceId);
  }

  async #find(workspaceId: string): Promise<void> {
    const workspace = this.#workspace(workspaceId);
    const withOptional = workspace.options.optionalActions;
    for (const service of services) {
      if (addressOf(workspace, service) === null) continue;
      await findActions(await this.#options.connect(workspaceId, service), { withOptional });
    }
  }

  async search({
    workspaceId,
    search,
  }: OperationRequest<'servers.search'>): Promise<OperationOutput<'servers.search'>> {
    this.#require(workspaceId, 'getfiles');
    const api = await this.#repository(workspaceId);
    const found = await api.searchFiles(search);
    if (search.field === 'sha256') {
      const those = withSha256(found, search.text);
      // A server that does not know the field lists other samples: that shows nothing of this one.
      if (those.length === 0 && found.length > 0) fail({ kind: 'needs-md5', hash: search.text });
      return { found: those, mayBeMore: false };
    }
    return { found, mayBeMore: found.length >= shortestFullPage };
  }

  async searchByQuery({
    workspaceId,
    search,
  }: OperationRequest<'servers.searchByQuery'>): Promise<OperationOutput<'servers.searchByQuery'>> {
    this.#require(workspaceId, 'searchfiles');
    const read = readLibraryQuery(search.query, new Date(this.#options.now()));
    if (read.kind === 'problem')
      refuseInput('query', `a query that can be read. ${queryProblemSentence(read.problem).what}`);
    const api = await this.#repository(workspaceId);
    const marks = new PageMarks(api.address, search);
    const page = await api.searchByQuery({ ...search, after: marks.opened(search.after), limit: queryPage });
    return { ...page, next: marks.sealed(page.next) };
  }

  /** Whether `md5Of` can ask the repository. */
  mayAskForMd5(workspaceId: string): boolean {
    return this.mayUse(workspaceId, 'getfiles') || this.mayUse(workspaceId, 'searchfiles');
  }

  /**
   * The MD5 under which the repository has a SHA-256; null where it is not to be asked, or does not know the parameter.
   * Throws `unknown-hash` where it finds nothing, or why it could not be asked.
   */
  async md5Of(workspaceId: string, sha256: string, signal?: AbortSignal): Promise<string | null> {
    if (!this.mayAskForMd5(workspaceId)) return null;
    const api = await this.#repository(workspaceId);
    const options = signal ? { signal } : {};
    const found = this.mayUse(workspaceId, 'getfiles')
      ? await api.searchFiles({ field: 'sha256', text: sha256, page: 1 }, options)
      : (await api.searchByQuery({ query: sha256, order: 'newest', after: null, limit: 1 }, options)).found;
    if (found.length === 0) fail({ kind: 'unknown-hash', service: 'repository', hash: sha256 });
    return withSha256(found, sha256)[0]?.md5 ?? null;
  }

  async tags({ workspaceId }: OperationRequest<'servers.tags'>): Promise<{ tags: string[] }> {
    if (!this.mayUse(workspaceId, 'gettagsdata')) return { tags: [] };
    const api = await this.#repository(workspaceId);
    const known = this.#tags.get(workspaceId);
    const now = this.#options.now();
    if (known?.address === api.address && now - known.at < tagsKeptMs) return { tags: known.tags };
    const inUse = await api.tagsInUse();
    const tags = inUse.slice(0, mostTags).map(({ tag }) => tag);
    this.#tags.set(workspaceId, { address: api.address, tags, at: now });
    return { tags };
  }

  async changeRecord({
    workspaceId,
    md5,
    change,
    basedOn,
  }: OperationRequest<'servers.changeRecord'>): Promise<OperationOutput<'servers.changeRecord'>> {
    this.#require(workspaceId, 'updatefile');
    const api = await this.#repository(workspaceId);
    const now = await api.getFile(md5);
    const before = partsOf(now);
    const parts = partsIn(change);
    // What someone else wrote since is not overwritten unseen.
    if (parts.some((part) => !isSamePart(part, before, basedOn)))
      fail({ kind: 'record-changed', service: 'repository', address: api.address });
    if (parts.includes('tags') && mayBeCut(now))
      fail({ kind: 'record-list-cut', service: 'repository', address: api.address });
    return this.#replace(api, { workspaceId, md5, change });
  }

  /** Sends a change, whatever is in the record now, and reads it afterwards. */
  async #replace(
    api: RepositoryApi,
    { workspaceId, md5, change }: { workspaceId: string; md5: string; change: RecordChange },
  ): Promise<OperationOutput<'servers.changeRecord'>> {
    const { library, journal } = this.#options;
    const detail = { receiver: new URL(api.address).host, parts: partsIn(change).join(' ') };
    const note = (outcome: string): void => {
      journal.append({ workspaceId, operation: 'record-change', hash: md5, outcome, detail });
    };
    note('sending');
    try {
      await api.updateFile(md5, change);
    } catch (error) {
      note(error instanceof FailureError ? error.failure.kind : 'unexpected');
      throw error;
    }
    const record = await api.getFile(md5);
    const after = partsOf(record);
    const altered = alteredParts(change, after);
    note(altered.length === 0 ? 'done' : 'altered');
    library.noteRecord({ workspaceId, md5, record });
    await listComments(library, { workspaceId, md5, record });
    this.#tags.delete(workspaceId);
    return { record, altered };
  }

  #require(workspaceId: string, action: ServerAction): void {
    if (!this.mayUse(workspaceId, action)) fail({ kind: 'action-not-used', service: 'repository', action });
  }

  async #repository(workspaceId: string): Promise<RepositoryApi> {
    return createRepositoryApi(await this.#options.connect(workspaceId, 'repository'));
  }

  #workspace(id: string): WorkspaceServers {
    return this.#options.workspace(id) ?? fail({ kind: 'workspace-missing', id });
  }
}

/** The lab is Vitrine's own: it has what is documented, and nothing else. */
const labActions: WorkspaceActions = {
  mayUse: false,
  actions: services.flatMap((service) =>
    actionsOf[service].map((action) => ({
      service,
      action,
      state: optionalActions.has(action) ? ('absent' as const) : ('answers' as const),
      seen: null,
    })),
  ),
};

const addressOf = (of: WorkspaceServers, service: ServiceName): string | null =>
  (service === 'repository' ? of.repository : of.ruleEditor)?.baseUrl ?? null;

/**
 * Marks of pages as they leave the host: with what they are of in front, so that a mark is sent back only to the server
 * that made it, and for the same query and order.
 */
class PageMarks {
  readonly #seal: string;

  constructor(address: string, { query, order }: Pick<QuerySearch, 'query' | 'order'>) {
    const of = JSON.stringify([address, query, order]);
    this.#seal = `${createHash('sha256').update(of).digest('base64url').slice(0, 22)}.`;
  }

  sealed(next: string | null): string | null {
    return next === null ? null : `${this.#seal}${next}`;
  }

  /** @throws FailureError `bad-input` for the mark of another search */
  opened(after: string | null): string | null {
    if (after === null) return null;
    if (!after.startsWith(this.#seal)) refuseInput('after', 'the mark of a page of this search; search again');
    return after.slice(this.#seal.length);
  }
}

/** `expected` follows "expected". */
const refuseInput = (path: string, expected: string): never =>
  fail({ kind: 'bad-input', operation: 'servers.searchByQuery', issues: [{ path, message: expected }] });

/** A server that does not know the parameter lists other samples. */
const withSha256 = (found: readonly FoundSample[], sha256: string): FoundSample[] =>
  found.filter((one) => one.sha256 === sha256.toLowerCase());

const partsIn = (change: RecordChange): RecordPart[] => recordPart.options.filter((part) => change[part] !== undefined);

/** The parts that do not read as they were sent. */
export function alteredParts(change: RecordChange, after: ReplaceableParts): RecordPart[] {
  const { comment = after.comment, tags = after.tags, threat = after.threat } = change;
  return partsIn(change).filter((part) => !isSamePart(part, after, { comment, tags, threat }));
}

/**
 * `updatefile` replaces all tags: those that were not shown would be lost. Servers join tags and addresses of a sample
 * in one question, which repeats each of them for each of the others, before they cut.
 */
function mayBeCut({ tags, urls }: SampleRecord): boolean {
  const bytesOf = (texts: readonly string[]): number => Buffer.byteLength(texts.join(','));
  const addresses = bytesOf(urls.map(({ name, url }) => `${name}|${url}`));
  return Math.max(bytesOf(tags) * Math.max(1, urls.length), addresses * Math.max(1, tags.length)) >= surelyWholeBytes;
}
