import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BundleParts, bundleParts, shortestBundlePassphrase } from '../../../shared/domain/bundle.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { Job, JobTask } from '../../../shared/domain/job.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { fail, type Failure, FailureError, failureKindOf } from '../../../shared/failure.ts';
import { fingerprintOf, type PassphraseCost, publicKeyOf, usualCost } from '../../archive/bundle/bundle-format.ts';
import { folderFailure, placeFile, removeQuietly } from '../../archive/export/export-file.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { BundleStore } from '../../storage/bundles/bundle-store.ts';
import type { LibraryReader } from '../../storage/library/library-reader.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { Packages } from '../../vault/packages.ts';
import type { Vault } from '../../vault/vault.ts';
import type { BundleKey } from './bundle-openings.ts';
import { type BundleContent, writeBundle, type WritingNews, type WritingOrder } from './bundle-workers.ts';
import { type HashList, selectedHashes } from './hash-list.ts';

/** A download that the requester fetches once. */
interface PreparedBundle {
  fileName: string;
  sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
}

export interface BundleExportsOptions {
  /** The id of this Vitrine: others may write into the same folder. */
  computerId: string;
  /** Of the database. */
  path: string;
  vault: Pick<Vault, 'sourcesOf' | 'unreadable'>;
  store: Pick<BundleStore, 'recordWritten'>;
  libraryReader: Pick<LibraryReader, 'hashes'>;
  packages: Pick<Packages, 'read'>;
  packageStore: Pick<PackageStore, 'pointers' | 'get' | 'noteExport'>;
  key: BundleKey;
  /** Less only in tests. */
  cost?: PassphraseCost;
  offer(prepared: PreparedBundle): ExportResult;
  jobs(): Pick<JobRunner, 'create' | 'addCounted' | 'begin' | 'forget'>;
}

export interface BundleRequest {
  selection: LibrarySelection;
  parts: BundleParts;
  title: string;
  author: string;
  passphrase: string;
  workspaceId: string;
}

/** The journal's detail of each sample that leaves. */
type WrittenDetail = { to: string; key: string; title: string; parts: string; job?: number };

/**
 * What is written, as it was when the person said so. Never stored, because of the passphrase: it is gone when the
 * program ends.
 */
interface Order {
  request: BundleRequest;
  samples: HashList;
  rules: BundleContent['rules'];
}

const rowsATurn = 100;

/** Bundles that leave: into the host's folder as jobs, or once by the browser. */
export class BundleExports {
  readonly #options: BundleExportsOptions;
  readonly #orders = new Map<number, Order>();
  readonly #end = new AbortController();
  #sending = 0;

  constructor(options: BundleExportsOptions) {
    this.#options = options;
  }

  /** Bundles that browsers are fetching. */
  get running(): number {
    return this.#sending;
  }

  /**
   * @throws FailureError `passphrase-short`, `no-export-folder`, `no-package`, `nothing-selected`, and of the token
   * store
   */
  async start(request: BundleRequest, folder: string | null): Promise<Job> {
    const task: JobTask = {
      kind: 'bundle',
      title: request.title,
      folder: folder ?? fail({ kind: 'no-export-folder' }),
      result: null,
    };
    const order = await this.#ordered(request);
    const jobs = this.#options.jobs();
    const id = jobs.create(task, null);
    jobs.addCounted(id, order.samples.length);
    this.#orders.set(id, order);
    return jobs.begin(id);
  }

  /** @throws FailureError as `start` does */
  async prepare(request: BundleRequest): Promise<ExportResult> {
    const order = await this.#ordered(request);
    return this.#options.offer({ fileName: fileNameOf(order), sizeBytes: null, open: () => this.#sent(order) });
  }

  /** The step of jobs of kind `bundle`: its output appears at its end, all of it, and no sample is done before. */
  async run(work: JobWork): Promise<void> {
    const { task, id } = work;
    if (task.kind !== 'bundle') throw new TypeError(`a job of another kind: ${task.kind}`);
    const order = this.#orders.get(id) ?? fail({ kind: 'interrupted' });
    const unfinished = join(task.folder, unfinishedNameOf(this.#options.computerId, id));
    try {
      const { failed, gone } = await this.#write(work, order, unfinished, task.folder);
      const fileName = await this.#place(order, { job: id, unfinished, folder: task.folder, gone });
      work.setTask({ ...task, result: fileName });
      work.tally({ done: order.samples.length - failed.size - gone.size, failed: failed.size, unknown: gone.size });
      this.#orders.delete(id);
    } catch (error) {
      await removeQuietly(unfinished);
      throw error;
    }
  }

  /** After a crash: removes what the job had begun to write. @throws the system's error */
  async cleanUp({ id, task }: Job): Promise<void> {
    if (task.kind === 'bundle')
      await rm(join(task.folder, unfinishedNameOf(this.#options.computerId, id)), { force: true });
  }

  jobForgotten(id: number): void {
    this.#orders.delete(id);
  }

  /** Ends what a browser is fetching. */
  close(): void {
    this.#end.abort(new FailureError({ kind: 'cancelled' }));
  }

  async #ordered(request: BundleRequest): Promise<Order> {
    const { passphrase, parts, workspaceId, selection } = request;
    if (passphrase.length < shortestBundlePassphrase)
      fail({ kind: 'passphrase-short', minimum: shortestBundlePassphrase });
    const rules = parts.rules ? this.#rulesOf(workspaceId) : null;
    const samples = await selectedHashes(selection, this.#options.libraryReader);
    if (samples.length === 0) fail({ kind: 'nothing-selected' });
    await this.#options.key.signingKey();
    return { request, samples, rules };
  }

  #rulesOf(workspaceId: string): Order['rules'] {
    const { packages, packageStore } = this.#options;
    const { active } = packageStore.pointers(workspaceId);
    const row = active === null ? null : packageStore.get(workspaceId, active);
    if (row === null) return fail({ kind: 'no-package' });
    const { version, sha256, sizeBytes } = row;
    return { facts: { version, sha256, sizeBytes }, bytes: () => packages.read(workspaceId, sha256) };
  }

  async #write(
    work: JobWork,
    order: Order,
    unfinished: string,
    folder: string,
  ): Promise<{ failed: ReadonlySet<string>; gone: ReadonlySet<string> }> {
    const { path } = this.#options;
    const [failed, gone] = [new Set<string>(), new Set<string>()];
    for await (const news of writeBundle(
      { ...(await this.#orderOf(order)), database: path, path: unfinished },
      this.#contentOf(order),
      work.signal,
    )) {
      if (news.kind === 'moved') work.moved(news.bytes);
      if (news.kind === 'expected') work.expect(news.bytes);
      if (news.kind === 'gone') gone.add(news.hash);
      if (news.kind === 'disk-failed') fail(folderFailure(news.code, folder));
      const missing = this.#missing(news);
      if (missing === null) continue;
      failed.add(missing.hash);
      work.notice(missing.failure);
      this.#options.store.recordWritten([missing.hash], {
        outcome: missing.failure.kind,
        detail: await this.#detail('folder', order, work.id),
      });
    }
    work.signal.throwIfAborted();
    return { failed, gone };
  }

  /** Of what goes along in part. */
  #missing(news: WritingNews): { hash: string; failure: Failure } | null {
    if (news.kind === 'unreadable')
      return { hash: news.sha256, failure: this.#options.vault.unreadable(news.sha256, news.reason) };
    return news.kind === 'cut' ? { hash: news.hash, failure: { kind: 'bundle-cut', hash: news.hash } } : null;
  }

  /**
   * The rows are there before the file they describe. When the disk refuses it then, a second row records so. A sample
   * that was forgotten meanwhile is not in it, and has none.
   */
  async #place(
    order: Order,
    { job, unfinished, folder, gone }: { job: number; unfinished: string; folder: string; gone: ReadonlySet<string> },
  ): Promise<string> {
    const detail = await this.#detail('folder', order, job);
    const pages = () => withoutGone(order.samples.pages(rowsATurn), gone);
    await this.#noteAll(pages(), 'done', detail);
    this.#noteRules(order, 'done', detail);
    try {
      return (await placeFile(unfinished, folder, fileNameOf(order))).fileName;
    } catch (error) {
      await this.#noteAll(pages(), failureKindOf(error), detail);
      this.#noteRules(order, failureKindOf(error), detail);
      throw error;
    }
  }

  /** The rows of the samples in a piece are there before it is. */
  async *#sent(order: Order): AsyncGenerator<Uint8Array, void, void> {
    const { path } = this.#options;
    const detail = await this.#detail('browser', order, null);
    const sent: string[][] = [];
    let outcome = 'aborted';
    this.#sending += 1;
    this.#noteRules(order, 'sending', detail);
    try {
      for await (const news of writeBundle(
        { ...(await this.#orderOf(order)), database: path, path: null },
        this.#contentOf(order),
        this.#end.signal,
      )) {
        const missing = this.#missing(news);
        if (missing !== null)
          this.#options.store.recordWritten([missing.hash], { outcome: missing.failure.kind, detail });
        if (news.kind !== 'sealed') continue;
        if (news.hashes.length > 0) await this.#noteAll(inPages(news.hashes), 'done', detail);
        sent.push(news.hashes);
        yield news.bytes;
      }
      outcome = 'done';
    } catch (error) {
      outcome = failureKindOf(error);
      throw error;
    } finally {
      this.#sending -= 1;
      this.#noteRules(order, outcome, detail);
      if (outcome !== 'done') await this.#noteAll(inPages(sent.flat()), outcome, detail);
    }
  }

  async #orderOf({ request, samples }: Order): Promise<Omit<WritingOrder, 'database' | 'path'>> {
    const { title, author, parts, passphrase } = request;
    return {
      passphrase,
      cost: this.#options.cost ?? usualCost,
      signingKey: await this.#options.key.signingKey(),
      manifest: { created: currentInstant(), title, author, parts, samples: samples.length },
    };
  }

  #contentOf({ request, samples, rules }: Order): BundleContent {
    return {
      hashes: samples,
      rules,
      sourcesOf: (sha256s) => (request.parts.samples ? this.#options.vault.sourcesOf(sha256s) : []),
    };
  }

  /** `parts`: what went along, as the person ticked it. */
  async #detail(
    to: 'folder' | 'browser',
    { request: { title, parts } }: Order,
    job: number | null,
  ): Promise<WrittenDetail> {
    const ticked = bundleParts
      .keyof()
      .options.filter((part) => parts[part])
      .join(', ');
    return {
      to,
      key: fingerprintOf(publicKeyOf(await this.#options.key.signingKey())),
      title,
      parts: ticked,
      ...(job !== null && { job }),
    };
  }

  /** Rules that go along leave this computer as samples do. */
  #noteRules({ request, rules }: Order, outcome: string, { to, title, job }: WrittenDetail): void {
    if (rules !== null)
      this.#options.packageStore.noteExport(request.workspaceId, rules.facts, {
        outcome,
        to,
        form: 'bundle',
        title,
        ...(job !== undefined && { job }),
      });
  }

  async #noteAll(pages: Iterable<readonly string[]>, outcome: string, detail: WrittenDetail): Promise<void> {
    for (const page of pages) {
      this.#options.store.recordWritten(page, { outcome, detail });
      await nextTurn();
    }
  }
}

/** `20261118T142936Z_112.vitrine-bundle`, in UTC. What the person calls it is inside. */
const fileNameOf = ({ samples }: Order): string =>
  `${currentInstant().replace(/[-:]|\.\d+/g, '')}_${samples.length}.vitrine-bundle`;

function* withoutGone(
  pages: Iterable<readonly string[]>,
  gone: ReadonlySet<string>,
): Generator<readonly string[], void, void> {
  for (const page of pages) yield page.filter((hash) => !gone.has(hash));
}

function* inPages(hashes: readonly string[]): Generator<readonly string[], void, void> {
  for (let at = 0; at < hashes.length; at += rowsATurn) yield hashes.slice(at, at + rowsATurn);
}
