import type { EventName, EventPayload, OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import { settings } from '../../shared/domain/settings.ts';
import type { StagedFile } from '../../shared/domain/upload.ts';
import { fail, failed, FailureError, type Result, success } from '../../shared/failure.ts';
import type { Bridge } from '../../shared/transport.ts';
import { bulkJob, huntJob, scanJob } from '../components/jobs/job.fixture.ts';
import {
  emptyDraft,
  emptyStorage,
  emptySummary,
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

/** The answers of a quiet host on which nothing has happened yet. */
const quiet: Answers = {
  'host.describe': () => host,
  'host.openDataFolder': () => ({}),
  'host.openLog': () => ({}),
  'host.chooseExportFolder': () => ({ path: null }),
  'diagnostics.save': () => ({
    saved: { kind: 'browser', id: 'e'.repeat(64), fileName: 'vitrine-diagnostics-20261118T142936Z.zip' },
    missing: [],
  }),
  'diagnostics.showFolder': () => ({}),
  'settings.read': () => ({ values: usedSettings, damaged: [] }),
  'settings.change': (change) => ({ values: settings.parse({ ...usedSettings, ...change }) }),
  'secrets.create': () => ({ store: 'sealed-file', state: 'open', backend: null }),
  'secrets.unlock': () => ({ store: 'sealed-file', state: 'open', backend: null }),
  'secrets.forget': () => ({ store: 'memory', state: 'open', backend: null }),
  'workspaces.list': () => ({ workspaces: [lab], current: 'lab', damaged: [] }),
  'workspaces.add': ({ name }) => ({ ...lab, id: 'w-1', name, builtIn: false }),
  'workspaces.edit': ({ id, draft }) => ({ ...lab, id, name: draft.name, builtIn: false }),
  'workspaces.remove': () => ({}),
  'workspaces.switch': () => ({}),
  'workspaces.test': () => ({ tests: [] }),
  'samples.lookup': () => found,
  'samples.history': () => ({ rows: [] }),
  'samples.hits': () => ({ hits: [], known: null }),
  'samples.tag': () => ({ changed: 0 }),
  'samples.inVault': () => ({ samples: [], total: 0 }),
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
  'downloads.cancel': () => ({}),
  'downloads.list': () => ({ downloads: [] }),
  'bulk.check': ({ hashes }) => ({ verdicts: hashes.map((hash) => (hash.length === 32 ? 'fetch' : 'needs-md5')) }),
  'bulk.create': () => ({ id: 218 }),
  'bulk.add': ({ hashes }) => ({ items: hashes.length }),
  'bulk.start': () => bulkJob,
  'jobs.list': () => ({ jobs: [] }),
  'jobs.items': () => ({ items: [], total: 0 }),
  'jobs.pause': () => ({}),
  'jobs.resume': () => ({}),
  'jobs.cancel': () => ({}),
  'jobs.retry': () => ({}),
  'jobs.forget': () => ({}),
  'jobs.exportItems': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'job-218.csv' }),
  'exports.start': () => ({
    ...bulkJob,
    id: 219,
    task: { kind: 'export', form: 'one-zip', folder: '/exports', result: null },
    workspaceId: null,
  }),
  'exports.prepare': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: '20261118T142936Z_112.zip' }),
  'uploads.draft': () => emptyDraft,
  'uploads.files': () => ({ files: [], total: 0 }),
  'uploads.readNames': () => ({}),
  'uploads.add': ({ files }) => ({ ids: files.map((_, index) => index + 1) }),
  'uploads.openArchive': () => ({}),
  'uploads.change': () => ({ changed: 0, refused: 0 }),
  'uploads.ticked': () => ({ files: 0, mark: '0'.repeat(64) }),
  'uploads.remove': () => ({}),
  'uploads.comment': () => ({}),
  'uploads.ask': () => ({}),
  'uploads.tags': () => ({ tags: [] }),
  'uploads.send': () => ({ ...bulkJob, id: 220, task: { kind: 'upload' } }),
  'comments.thread': () => ({ comments: [], draft: { text: '', parentId: null }, listsComments: false }),
  'comments.draft': () => ({ text: '', parentId: null }),
  'comments.saveDraft': ({ draft }) => ({ stored: draft }),
  'comments.send': () => ({ id: 1 }),
  'comments.sendAgain': () => ({}),
  'comments.settle': () => ({}),
  'comments.discard': () => ({}),
  'comments.list': () => ({ comments: [], total: 0 }),
  'publications.state': ({ workspaceId }) => ({ ...noPackages, workspaceId }),
  'publications.check': () => ({}),
  'publications.cancelCheck': () => ({}),
  'publications.addFile': () => ({}),
  'publications.addFiles': () => ({ list: 'list-1' }),
  'publications.convert': () => ({}),
  'publications.activate': ({ workspaceId, sha256: active }) => ({ ...noPackages, workspaceId, active }),
  'publications.pin': ({ workspaceId, sha256: pinned }) => ({ ...noPackages, workspaceId, pinned }),
  'publications.remove': ({ workspaceId }) => ({ ...noPackages, workspaceId }),
  'publications.export': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'package.zip' }),
  'publications.setOptions': ({ workspaceId, options }) => ({ ...noPackages, workspaceId, options }),
  'publications.difference': () => ({
    counts: { added: 0, removed: 0, changed: 0, moved: 0, broken: 0, same: 0 },
    rows: [],
    total: 0,
    muted: [],
  }),
  'publications.review': () => ({
    counts: { added: 0, removed: 0, changed: 0, moved: 0, broken: 0, same: 0 },
    facets: {
      all: 0,
      changed: 0,
      added: 0,
      removed: 0,
      moved: 0,
      broken: 0,
      parts: { condition: 0, strings: 0, modifiers: 0, tags: 0, meta: 0, layout: 0 },
    },
    rows: [],
    total: 0,
    listed: 0,
    firstRule: null,
    muted: [],
  }),
  'trials.start': () => fail({ kind: 'nothing-selected' }),
  'trials.state': () => ({ trial: null }),
  'trials.cancel': () => ({}),
  'publications.patch': () => ({ text: '', next: null }),
  'publications.exportDifference': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'difference.zip' }),
  'publications.ruleDifference': () => ({ old: null, new: null, lines: [] }),
  'publications.explain': () => ({ text: null, isCut: false, line: null, isRelaxable: false }),
  'publications.rules': () => fail({ kind: 'no-package' }),
  'publications.ruleNames': () => fail({ kind: 'no-package' }),
  'publications.rule': () => fail({ kind: 'no-package' }),
  'publications.ruleToTry': () => fail({ kind: 'no-package' }),
  'publications.ruleFacts': () => fail({ kind: 'no-package' }),
  'publications.rulePackages': () => fail({ kind: 'no-package' }),
  'ruleTrials.check': () => ({ rules: [], broken: [], warnings: [] }),
  'ruleTrials.start': () => fail({ kind: 'no-rules' }),
  'ruleTrials.state': () => ({ trial: null }),
  'ruleTrials.cost': () => fail({ kind: 'vault-empty' }),
  'ruleTrials.cancel': () => ({}),
  'ruleCosts.start': () => fail({ kind: 'vault-empty' }),
  'ruleCosts.state': () => ({ measurement: null }),
  'ruleCosts.cancel': () => ({}),
  'mutes.list': () => ({ mutes: [] }),
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
  'mutes.remove': () => ({}),
  'mutes.undo': () => ({}),
  'scans.plan': () => noPlan,
  'scans.start': () => scanJob,
  'scans.summary': () => emptySummary,
  'scans.groups': () => ({ groups: [], total: 0 }),
  'scans.file': ({ jobId: job, position }) => fail({ kind: 'scan-file-missing', job, position }),
  'scans.files': ({ jobId: job, positions: [position = 0] }) => fail({ kind: 'scan-file-missing', job, position }),
  'scans.export': () => ({ kind: 'browser', id: 'e'.repeat(64), fileName: 'scan-221.csv' }),
  'hunts.estimate': () => fail({ kind: 'no-package' }),
  'hunts.start': () => huntJob,
  'bytes.read': ({ window: { offset } }) => ({ offset, base64: '', sizeBytes: 0 }),
  'bytes.find': () => ({ offset: null }),
  'bytes.stopFind': () => ({}),
  'bytes.map': () => ({ sizeBytes: 0, parts: '' }),
  'lab.start': () => ({}),
  'lab.publications': () => ({ publications: [] }),
  'lab.publish': () => ({ published: null, broken: [] }),
  'library.list': () => ({ rows: [], total: 0, elapsedMs: 6 }),
  'library.totals': ({ queries }) => ({ totals: queries.map(() => ({ samples: 0, bytes: 0 })) }),
  'library.sample': ({ hash }) => fail({ kind: 'not-in-library', hash }),
  'library.facts': () => ({ samples: [], next: null }),
  'library.change': () => ({ changed: 0, leftOut: 0 }),
  'library.draftChange': () => ({ job: 222 }),
  'library.addToChange': () => ({}),
  'library.beginChange': () => ({}),
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
  'library.note': () => ({}),
  'library.meant': () => ({ samples: 0, mark: sha256 }),
  'library.forget': () => ({ forgotten: 0 }),
  'library.suggest': () => ({ choices: [] }),
  'library.looks': ({ sha256s }) => ({ looks: sha256s.map((of) => ({ sha256: of, type: null, strip: null })) }),
  'views.list': () => ({ views: [] }),
  'views.rename': (named) => ({ query: '', sort: { by: 'lastSeen', descending: true }, columns: null, ...named }),
  'views.save': ({ id, ...view }) => ({ ...view, id: id ?? 1 }),
  'views.remove': () => ({}),
  'views.move': () => ({}),
  'storage.state': () => emptyStorage,
  'storage.check': () => fail({ kind: 'vault-empty' }),
  'storage.cleanUp': () => ({ freedBytes: 0 }),
  'storage.planMove': () => ({ plan: null }),
  'storage.move': () => ({}),
  'storage.removeOldCopy': () => ({ freedBytes: 0, leftFiles: 0 }),
  'library.count': () => ({ samples: 0, inVault: 0, vaultBytes: 0 }),
  'storage.backUp': () => ({ job: null }),
  'journal.list': () => ({ lines: [], total: 0, newest: null, newer: 0 }),
  'journal.workspaces': () => ({ workspaces: [] }),
  'journal.position': () => ({ offset: 0 }),
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
  'bundles.opening': () => ({ opening: null }),
  'bundles.close': () => ({}),
  'bundles.import': () => fail({ kind: 'bundle-not-ready' }),
  'watch.state': () => idleWatch,
  'watch.chooseFolder': () => ({ isChosen: false, state: idleWatch }),
  'watch.turn': ({ isOn }) => ({ ...idleWatch, isOn }),
  'watch.clear': () => idleWatch,
  'journal.verify': () => ({ rows: 0, assurance: 'accidents-only', broken: null }),
  'lab.sampleFiles': () => ({ sampleFiles: [] }),
};

type Listeners = { [N in EventName]: Set<(payload: EventPayload<N>) => void> };

/**
 * A host in memory for tests of the page: it gives the answers that the test sets, keeps the requests, and sends events
 * on demand.
 */
export class MemoryBridge implements Bridge<File> {
  readonly asked: { name: OperationName; input: unknown }[] = [];
  readonly #answers: Answers;
  #staged = 0;
  readonly #listeners: Listeners = {
    'download.progress': new Set(),
    'job.changed': new Set(),
    'job.forgotten': new Set(),
    'lab.changed': new Set(),
    'workspaces.changed': new Set(),
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
      return success(await this.#answers[name](input));
    } catch (error) {
      if (error instanceof FailureError) return failed(error.failure);
      throw error;
    }
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
