import { randomUUID } from 'node:crypto';
import type { BundleOpening, BundleSigner } from '../../../shared/domain/bundle.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { fingerprintOf, newSigningKey, publicKeyOf } from '../../archive/bundle/bundle-format.ts';
import { type EventHub, WorkspaceEvents } from '../../event-hub.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import { JobStop } from '../../jobs/job-work.ts';
import type { TokenStore } from '../../storage/tokens/token-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { BundleImport, type BundleImportOptions, type ImportOrder } from './bundle-import.ts';
import { type PreviewedBundle, readBundle } from './bundle-workers.ts';

export interface BundleOpeningsOptions extends Omit<BundleImportOptions, 'staging' | 'jobs'> {
  staging: Staging;
  events: EventHub;
  key: BundleKey;
  /** A bundle is held against what is known in each, and goes into one of them. */
  workspaceIds(): readonly string[];
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
  jobs(): Pick<JobRunner, 'create' | 'addCounted' | 'begin' | 'forget' | 'get'>;
}

interface Open {
  shown: BundleOpening;
  stagedId: string;
  passphrase: string;
  stop: AbortController;
  over: Promise<void>;
  borders: Uint8Array;
}

/**
 * Bundles that came: one at a time is inspected, from its beginning to its end, and then taken in, if the person
 * confirms.
 */
export class BundleOpenings {
  readonly #options: BundleOpeningsOptions;
  readonly #news: WorkspaceEvents;
  /** Of jobs, with their passphrases: gone when the program ends. */
  readonly #orders = new Map<number, ImportOrder>();
  readonly #running = new Set<number>();
  readonly #unsubscribe: () => void;
  #open: Open | null = null;

  constructor(options: BundleOpeningsOptions) {
    this.#options = options;
    this.#news = new WorkspaceEvents(() =>
      options.events.emit({ name: 'bundles.changed', payload: { opening: this.opening } }),
    );
    // One that is paused ends without a run.
    this.#unsubscribe = options.events.subscribe((event) => {
      if (event.name === 'job.changed' && event.payload.state === 'cancelled' && !this.#running.has(event.payload.id))
        this.#showCancelled(event.payload.id);
    });
  }

  get opening(): BundleOpening | null {
    return this.#open?.shown ?? null;
  }

  /** @throws FailureError `staged-file-missing`; `cancelled` where another one is opened meanwhile */
  async open(stagedId: string, passphrase: string): Promise<BundleOpening> {
    const { name, sizeBytes } = this.#options.staging.fileOf(stagedId);
    const before = this.#open;
    const open: Open = {
      shown: {
        id: randomUUID(),
        name,
        sizeBytes,
        readBytes: 0,
        state: 'reading',
        failure: null,
        facts: null,
        job: null,
      },
      stagedId,
      passphrase,
      stop: new AbortController(),
      over: Promise.resolve(),
      borders: new Uint8Array(0),
    };
    // At once: of two that are opened at a time the later one closes the earlier.
    this.#open = open;
    await this.#end(before, stagedId);
    open.stop.signal.throwIfAborted();
    open.over = this.#preview(open);
    return open.shown;
  }

  async closeOpening(id: string): Promise<void> {
    if (this.#open?.shown.id !== id) return;
    const open = this.#open;
    this.#open = null;
    await this.#end(open, null);
    this.#changed();
  }

  /** @throws FailureError `bundle-not-ready`, `workspace-missing`, `staged-file-missing` */
  import(id: string, workspaceId: string): Job {
    const open = this.#open;
    if (open === null || open.shown.id !== id || open.shown.state !== 'ready' || open.shown.facts === null)
      return fail({ kind: 'bundle-not-ready' });
    if (!this.#options.workspaceIds().includes(workspaceId)) fail({ kind: 'workspace-missing', id: workspaceId });
    const {
      stagedId,
      passphrase,
      borders,
      shown: { name, sizeBytes, facts },
    } = open;
    const source = this.#options.staging.sourceOf(stagedId) ?? fail({ kind: 'staged-file-missing', id: stagedId });
    const job = this.#options.jobs().create({ kind: 'bundle-import', name }, workspaceId);
    this.#orders.set(job, { stagedId, source, name, passphrase, sizeBytes, borders, signer: facts.signer });
    this.#show(open, { state: 'importing', job });
    return this.#begun(open, job, facts.samples);
  }

  #begun(open: Open, job: number, samples: number): Job {
    const jobs = this.#options.jobs();
    try {
      jobs.addCounted(job, samples);
      return jobs.begin(job);
    } catch (error) {
      this.#orders.delete(job);
      this.#show(open, { state: 'ready', job: null });
      jobs.forget(job);
      throw error;
    }
  }

  /** The step of jobs of kind `bundle-import`. */
  async run(work: JobWork): Promise<void> {
    const order = this.#orders.get(work.id) ?? fail({ kind: 'interrupted' });
    this.#running.add(work.id);
    this.#showJob(work.id, { state: 'importing' });
    try {
      // It may have been removed while the job waited.
      if (work.workspaceId !== null && !this.#options.workspaceIds().includes(work.workspaceId))
        fail({ kind: 'workspace-missing', id: work.workspaceId });
      await new BundleImport(this.#options, work, order).run();
      this.#showJob(work.id, { state: 'imported' });
      await this.#endOrder(work.id);
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.kind !== 'bundle-changed') throw error;
      await this.#endChanged(work, error.failure);
    } finally {
      this.#running.delete(work.id);
      const reason: unknown = work.signal.reason;
      if (reason instanceof JobStop && reason.why === 'cancel') this.#showCancelled(work.id);
    }
  }

  /** No other try of this job can succeed: the file is to be looked through again. */
  async #endChanged(work: JobWork, failure: Failure): Promise<void> {
    work.notice(failure);
    work.tally({ failed: this.#options.jobs().get(work.id).counts.waiting });
    this.#showJob(work.id, { state: 'refused', failure });
    await this.#endOrder(work.id);
  }

  async jobForgotten(id: number): Promise<void> {
    await this.#endOrder(id);
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    this.#unsubscribe();
    this.#open?.stop.abort(new FailureError({ kind: 'cancelled' }));
    await this.#open?.over;
    this.#news.close();
  }

  async #preview(open: Open): Promise<void> {
    const {
      stagedId,
      passphrase,
      shown: { name },
    } = open;
    const { path, staging, workspaceIds } = this.#options;
    try {
      const source = staging.sourceOf(stagedId) ?? fail({ kind: 'staged-file-missing', id: stagedId });
      const order = { stagedId, source, name, passphrase, database: path, workspaceIds: workspaceIds(), taking: null };
      for await (const news of readBundle(order, open.stop.signal)) {
        if (news.kind === 'read') this.#show(open, { readBytes: news.readBytes });
        if (news.kind === 'looked') await this.#previewed(open, news.looked);
      }
    } catch (error) {
      if (open.stop.signal.aborted) return;
      this.#show(open, {
        state: 'refused',
        failure: error instanceof FailureError ? error.failure : this.#options.logDefect(error),
      });
    }
  }

  async #previewed(open: Open, { facts, signer, borders }: PreviewedBundle): Promise<void> {
    const own = await this.#options.key.fingerprintIfAny();
    const standing: BundleSigner['standing'] =
      signer.fingerprint === own ? 'own' : this.#options.store.isKnown(signer.fingerprint) ? 'known' : 'new';
    const isNamesake = standing === 'new' && this.#options.store.isNameKnown(signer.name);
    open.borders = borders;
    this.#show(open, {
      state: 'ready',
      readBytes: open.shown.sizeBytes,
      facts: { ...facts, signer: { ...signer, standing, isNamesake } },
    });
  }

  /** What a job still reads stays until it is over. */
  async #end(open: Open | null, next: string | null): Promise<void> {
    if (open === null) return;
    open.stop.abort(new FailureError({ kind: 'cancelled' }));
    await open.over;
    if (open.stagedId !== next) await this.#discardUnread(open.stagedId);
  }

  async #endOrder(job: number): Promise<void> {
    const order = this.#orders.get(job);
    this.#orders.delete(job);
    if (order !== undefined && this.#open?.stagedId !== order.stagedId) await this.#discardUnread(order.stagedId);
  }

  async #discardUnread(stagedId: string): Promise<void> {
    const isRead = [...this.#orders.values()].some((order) => order.stagedId === stagedId);
    if (!isRead) await this.#options.staging.discard(stagedId);
  }

  /** It can be taken in again: what is here already is passed over. */
  #showCancelled(job: number): void {
    if (this.#open?.shown.state === 'importing') this.#showJob(job, { state: 'ready' });
  }

  #showJob(job: number, change: Partial<BundleOpening>): void {
    if (this.#open?.shown.job === job) this.#show(this.#open, change);
  }

  #show(open: Open, change: Partial<BundleOpening>): void {
    open.shown = { ...open.shown, ...change };
    if (this.#open === open) this.#changed();
  }

  #changed(): void {
    this.#news.changed('');
  }
}

const tokenName = 'bundle-key';

/** This Vitrine's own key: stored where tokens are, and for this session alone where these are in memory. */
export class BundleKey {
  readonly #tokens: Pick<TokenStore, 'get' | 'set' | 'state'>;
  readonly #keepOutOfLogs: (secret: string) => void;
  #making: Promise<string> | null = null;

  constructor(tokens: Pick<TokenStore, 'get' | 'set' | 'state'>, keepOutOfLogs: (secret: string) => void) {
    this.#tokens = tokens;
    this.#keepOutOfLogs = keepOutOfLogs;
  }

  /** Made when it is first asked for. Fails as the token store does. */
  async signingKey(): Promise<string> {
    this.#making ??= this.#foundOrMade().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  async signer(): Promise<{ fingerprint: string; isDurable: boolean }> {
    const fingerprint = fingerprintOf(publicKeyOf(await this.signingKey()));
    return { fingerprint, isDurable: this.#tokens.state().store !== 'memory' };
  }

  /** null also while the token store is locked: then it is not known which key is ours. */
  async fingerprintIfAny(): Promise<string | null> {
    const key = await this.#tokens.get(tokenName).catch(() => null);
    return key === null ? null : fingerprintOf(publicKeyOf(key));
  }

  async #foundOrMade(): Promise<string> {
    const found = await this.#tokens.get(tokenName);
    if (found !== null) return found;
    const made = newSigningKey();
    this.#keepOutOfLogs(made);
    await this.#tokens.set(tokenName, made);
    return made;
  }
}
