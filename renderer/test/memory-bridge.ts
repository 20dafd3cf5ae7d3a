import type { z } from 'zod';
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../../shared/contract.ts';
import { settings } from '../../shared/domain/settings.ts';
import type { StagedFile } from '../../shared/domain/upload.ts';
import type { TriageCounts } from '../../shared/domain/triage.ts';
import type { EventName, EventPayload } from '../../shared/events.ts';
import { fail, failed, FailureError, type Result, success } from '../../shared/failure.ts';
import type { Bridge } from '../../shared/transport.ts';
import { bulkJob, huntJob, scanJob } from '../components/jobs/job.fixture.ts';
import { quietAnswer } from './quiet-answer.ts';
import {
  emptyStorage,
  found,
  host,
  idleWatch,
  lab,
  muteUndo,
  noPackages,
  noPlan,
  sha256,
  usedSettings,
} from './quiet-host.ts';

export { bulkJob, huntJob, scanJob };
export {
  emptySummary,
  found,
  host,
  idleWatch,
  lab,
  md5,
  muteUndo,
  noPackages,
  noPlan,
  sha1,
  sha256,
  usedSettings,
} from './quiet-host.ts';

type Answers = { [N in OperationName]: (input: OperationInput<N>) => OperationOutput<N> | Promise<OperationOutput<N>> };
export type GivenAnswers = Partial<Answers>;

/** The table as a generic call reads it. */
const rows: { readonly [N in OperationName]: { readonly output: z.ZodType<OperationOutput<N>> } } = operations;

/** The answers of a host on which nothing has happened yet, where they are not the least that the table allows. */
const quiet: GivenAnswers = {
  'host.describe': () => host,
  'diagnostics.save': () => ({
    saved: { kind: 'browser', id: 'e'.repeat(64), fileName: 'vitrine-diagnostics-20261118T142936Z.zip' },
    missing: [],
  }),
  'settings.read': () => ({ values: usedSettings, damaged: [] }),
  'settings.change': (change) => ({ values: settings.parse({ ...usedSettings, ...change }) }),
  'secrets.create': () => ({ store: 'sealed-file', state: 'open', backend: null }),
  'secrets.unlock': () => ({ store: 'sealed-file', state: 'open', backend: null }),
  'secrets.forget': () => ({ store: 'memory', state: 'open', backend: null }),
  'workspaces.list': () => ({ workspaces: [lab], current: 'lab', damaged: [] }),
  'workspaces.add': ({ name }) => ({ ...lab, id: 'w-1', name, builtIn: false }),
  'workspaces.edit': ({ id, draft }) => ({ ...lab, id, name: draft.name, builtIn: false }),
  'samples.lookup': () => found,
  'samples.exportZip': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: `${sha256}.zip` }),
  'downloads.start': ({ workspaceId, md5: asked }) => ({
    id: 'd'.repeat(32),
    workspaceId,
    md5: asked,
    name: null,
    state: 'waiting',
    receivedBytes: 0,
    totalBytes: null,
    bytesPerSecond: 0,
    sha1: null,
    sha256: null,
    failure: null,
  }),
  'bulk.check': ({ hashes }) => ({ verdicts: hashes.map((hash) => (hash.length === 32 ? 'fetch' : 'needs-md5')) }),
  'bulk.create': () => ({ id: 218 }),
  'bulk.add': ({ hashes }) => ({ items: hashes.length }),
  'bulk.start': () => bulkJob,
  'triage.create': () => ({ id: 230 }),
  'triage.add': ({ hashes }) => ({ items: hashes.length }),
  'triage.start': ({ id }) => ({ ...bulkJob, id, task: { kind: 'triage' } }),
  'triage.rows': () => ({ rows: [], total: 0, answered: 0, isStale: false }),
  'triage.counts': () => emptyTriage,
  'triage.ticked': () => ({ rows: [], total: 0 }),
  'triage.selected': () => ({ rows: 0, samples: 0, known: 0, inVault: 0, toDownload: 0, bytes: 0, unsized: 0 }),
  'jobs.exportItems': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'job-218.csv' }),
  'exports.start': () => ({
    ...bulkJob,
    id: 219,
    task: { kind: 'export', form: 'one-zip', folder: '/exports', result: null },
    workspaceId: null,
  }),
  'exports.prepare': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: '20261118T142936Z_112.zip' }),
  'uploads.add': ({ files }) => ({ ids: files.map((_, index) => index + 1) }),
  'uploads.ticked': () => ({ files: 0, mark: '0'.repeat(64) }),
  'uploads.send': () => ({ ...bulkJob, id: 220, task: { kind: 'upload' } }),
  'comments.saveDraft': ({ draft }) => ({ stored: draft }),
  'comments.send': () => ({ id: 1 }),
  'publications.state': ({ workspaceId }) => ({ ...noPackages, workspaceId }),
  'publications.addFiles': () => ({ list: 'list-1' }),
  'publications.activate': ({ workspaceId, sha256: active }) => ({ ...noPackages, workspaceId, active }),
  'publications.pin': ({ workspaceId, sha256: pinned }) => ({ ...noPackages, workspaceId, pinned }),
  'publications.remove': ({ workspaceId }) => ({ ...noPackages, workspaceId }),
  'publications.export': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'package.zip' }),
  'publications.setOptions': ({ workspaceId, options }) => ({ ...noPackages, workspaceId, options }),
  'trials.start': () => fail({ kind: 'nothing-selected' }),
  'publications.exportDifference': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'difference.zip' }),
  'publications.rules': () => fail({ kind: 'no-package' }),
  'publications.ruleNames': () => fail({ kind: 'no-package' }),
  'publications.rule': () => fail({ kind: 'no-package' }),
  'publications.ruleToTry': () => fail({ kind: 'no-package' }),
  'publications.ruleFacts': () => fail({ kind: 'no-package' }),
  'publications.rulePackages': () => fail({ kind: 'no-package' }),
  'ruleTrials.start': () => fail({ kind: 'no-rules' }),
  'ruleTrials.cost': () => fail({ kind: 'vault-empty' }),
  'ruleCosts.start': () => fail({ kind: 'vault-empty' }),
  'mutes.add': (draft) => ({
    ...draft,
    id: 1,
    created: '2026-11-18T14:21:00.000Z',
    ruleNow: 'same',
    hasExpired: false,
    undo: muteUndo,
    replaces: false,
  }),
  'mutes.change': ({ id }) => fail({ kind: 'mute-missing', id }),
  'mutes.confirm': ({ id }) => fail({ kind: 'mute-missing', id }),
  'scans.plan': () => noPlan,
  'scans.start': () => scanJob,
  'scans.file': ({ jobId: job, position }) => fail({ kind: 'scan-file-missing', job, position }),
  'scans.files': ({ jobId: job, positions: [position = 0] }) => fail({ kind: 'scan-file-missing', job, position }),
  'scans.export': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'scan-221.csv' }),
  'hunts.estimate': () => fail({ kind: 'no-package' }),
  'hunts.start': () => huntJob,
  'bytes.read': ({ window: { offset } }) => ({ offset, base64: '', sizeBytes: 0 }),
  'library.list': () => ({ rows: [], total: 0, elapsedMs: 6 }),
  'library.totals': ({ queries }) => ({ totals: queries.map(() => ({ samples: 0, bytes: 0 })) }),
  'library.sample': ({ hash }) => fail({ kind: 'not-in-library', hash }),
  'library.draftChange': () => ({ job: 222 }),
  'library.readRecords': ({ workspaceId }) => ({
    ...bulkJob,
    id: 223,
    task: { kind: 'library-change', what: 'records', add: [], remove: [], addsNote: false },
    workspaceId,
  }),
  'library.draftAdd': () => ({ job: 224 }),
  'library.addFiles': ({ files }) => ({ files: files.length }),
  'library.beginAdd': ({ job }) => ({
    ...bulkJob,
    id: job,
    task: { kind: 'library-add', opensArchives: true },
    workspaceId: null,
  }),
  'library.added': () => ({
    files: [],
    total: 0,
    counts: { states: { failed: 0, empty: 0, waiting: 0, stored: 0, 'already-here': 0, opened: 0 }, closed: 0 },
  }),
  'library.meant': () => ({ samples: 0, mark: sha256 }),
  'library.previews': ({ sha256s }) => ({ previews: sha256s.map((of) => ({ sha256: of, type: null, strip: null })) }),
  'views.rename': (named) => ({ query: '', sort: { by: 'lastSeen', descending: true }, columns: null, ...named }),
  'views.save': ({ id, ...view }) => ({ ...view, id: id ?? 1 }),
  'storage.state': () => emptyStorage,
  'storage.check': () => fail({ kind: 'vault-empty' }),
  'journal.export': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'journal.csv' }),
  'cases.start': ({ options: { format, title } }) => ({
    ...bulkJob,
    id: 222,
    task: { kind: 'case-export', format, title, withSamples: false, folder: '/exports', result: null },
    workspaceId: null,
  }),
  'cases.prepare': () => ({
    kind: 'browser',
    id: 'e'.repeat(64),
    fileName: 'case.json',
    samples: 1,
    unknown: { count: 0, hashes: [] },
    withoutBytes: 0,
  }),
  'bundles.signer': () => ({ fingerprint: 'f'.repeat(64), isDurable: false }),
  'bundles.start': ({ title }) => ({
    ...bulkJob,
    id: 223,
    task: { kind: 'bundle', title, folder: '/exports', result: null },
    workspaceId: null,
  }),
  'bundles.prepare': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'case.vitrine-bundle' }),
  'bundles.open': () => fail({ kind: 'bundle-not-ready' }),
  'bundles.import': () => fail({ kind: 'bundle-not-ready' }),
  'watch.turn': ({ isOn }) => ({ ...idleWatch, isOn }),
  'journal.verify': () => ({ rows: 0, assurance: 'accidents-only', broken: null }),
};

/** Of a look-up of many without a row. */
export const emptyTriage: TriageCounts = {
  states: {
    vault: 0,
    known: 0,
    repository: 0,
    unknown: 0,
    'needs-md5': 0,
    forbidden: 0,
    failed: 0,
    waiting: 0,
    cancelled: 0,
  },
  severities: { bad: 0, unwanted: 0, other: 0, 'not-set': 0 },
  requests: { waiting: 0, failed: 0, cancelled: 0 },
};

type Listeners = { [N in EventName]: Set<(payload: EventPayload<N>) => void> };

/**
 * A host in memory for tests of the page: it gives the answers that the test sets, keeps the requests, and sends events
 * on demand.
 */
export class MemoryBridge implements Bridge<File> {
  readonly asked: { name: OperationName; input: unknown }[] = [];
  readonly #answers: GivenAnswers;
  #staged = 0;
  readonly #listeners: Listeners = {
    'download.progress': new Set(),
    'job.changed': new Set(),
    'job.forgotten': new Set(),
    'lab.changed': new Set(),
    'workspaces.changed': new Set(),
    'servers.changed': new Set(),
    'secrets.changed': new Set(),
    'library.changed': new Set(),
    'journal.changed': new Set(),
    'uploads.changed': new Set(),
    'uploads.asked': new Set(),
    'comments.changed': new Set(),
    'comments.drafted': new Set(),
    'lookup.prefill': new Set(),
    'shell.command': new Set(),
    'comments.lost': new Set(),
    'publications.changed': new Set(),
    'publications.news': new Set(),
    'mutes.changed': new Set(),
    'scans.changed': new Set(),
    'trials.changed': new Set(),
    'ruleCosts.changed': new Set(),
    'views.changed': new Set(),
    'host.changed': new Set(),
    'bundles.changed': new Set(),
    'cases.left': new Set(),
    'watch.changed': new Set(),
    'watch.found': new Set(),
  };

  constructor(answers: GivenAnswers = {}) {
    this.#answers = { ...quiet, ...answers };
  }

  async call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>> {
    this.asked.push({ name, input });
    try {
      return success(await this.#answerTo(name, input));
    } catch (error) {
      if (error instanceof FailureError) return failed(error.failure);
      throw error;
    }
  }

  async #answerTo<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>> {
    const answer = this.#answers[name];
    return answer === undefined ? quietAnswer(rows[name].output) : answer(input);
  }

  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void {
    this.#listeners[name].add(listener);
    return () => void this.#listeners[name].delete(listener);
  }

  async stageFile(file: File): Promise<Result<StagedFile>> {
    this.#staged += 1;
    return success({ id: this.#staged.toString(16).padStart(32, '0'), name: file.name, sizeBytes: file.size });
  }

  emit<N extends EventName>(name: N, payload: EventPayload<N>): void {
    for (const listener of this.#listeners[name]) listener(payload);
  }

  inputsOf(name: OperationName): unknown[] {
    return this.asked.filter((call) => call.name === name).map(({ input }) => input);
  }
}
