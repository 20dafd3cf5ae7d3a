import type { HostDescription } from '../../shared/domain/host.ts';
import { defaultRuleOptions, type PublicationsState } from '../../shared/domain/publication.ts';
import type { LookupResult } from '../../shared/domain/sample.ts';
import type { ScanPlan, ScanSummary } from '../../shared/domain/scan.ts';
import { defaultSettings, type Settings } from '../../shared/domain/settings.ts';
import type { StorageState } from '../../shared/domain/storage.ts';
import type { UploadDraft } from '../../shared/domain/upload.ts';
import type { WatchState } from '../../shared/domain/watch.ts';
import {
  defaultFront,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  type WorkspaceView,
} from '../../shared/domain/workspace.ts';

export const md5 = '25f4f5501a058ba518efc1a525f2e8cf';
export const sha1 = 'c7eab6ac75616daee9f1347c6575fae27dc63b12';
export const sha256 = 'bf5549086c3409123560ec00c6d17766fa0f601ae9266780e1e431dcd749a9e2';

export const lab: WorkspaceView = {
  id: 'lab',
  name: 'Lab (this computer)',
  builtIn: true,
  repository: { baseUrl: 'http://127.0.0.1:1', hasToken: true },
  ruleEditor: null,
  allowHttp: true,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFront,
};

export const host: HostDescription = {
  name: 'Vitrine',
  version: '0.0.0',
  platform: 'web',
  isPackaged: false,
  capabilities: {
    chooseFolder: false,
    openFolders: false,
    browserDownload: true,
    windowControls: false,
    notifications: false,
    staysInTray: false,
    restarts: false,
  },
  dataDirectory: '/data',
  exportFolder: null,
  secrets: { store: 'memory', state: 'open', backend: null },
  lab: { state: 'running', restarts: 0, failure: null },
};

export const found: LookupResult = {
  asked: md5,
  record: {
    md5,
    sha1: null,
    sha256,
    name: 'update_helper.dll',
    sizeBytes: 1208320,
    date: '2026-11-09 07:40:12',
    uploader: 'desk-4',
    threat: null,
    criticity: null,
    mime: 'application/x-dosexec',
    favorite: null,
    locked: null,
    tags: ['family:ashveil', 'tlp:amber'],
    urls: [],
    comments: [],
    commentsOmitted: 0,
    listsComments: false,
    virusTotal: { state: null, score: null, link: null },
    sandbox: { state: null, link: null },
    ssdeep: null,
    imphash: null,
    pdbPath: null,
    signer: null,
    warning: null,
    unknown: {},
  },
  local: {
    md5,
    sha1: null,
    sha256: null,
    sizeBytes: null,
    inVault: false,
    firstSeen: '2026-11-09T07:40:00.000Z',
    lastSeen: '2026-11-18T14:21:00.000Z',
    tags: [],
  },
  elapsedMs: 38,
};

export const emptyDraft: UploadDraft = {
  files: 0,
  bytes: 0,
  comment: '',
  saved: null,
  toSend: { files: 0, bytes: 0 },
  there: { files: 0, bytes: 0 },
  leftOut: { files: 0, bytes: 0 },
  busy: 0,
  ticked: 0,
  tickedSamples: 0,
  unasked: 0,
  unanswered: 0,
  held: 0,
  newest: 0,
  requests: 0,
  virusTotal: { files: 0, names: [] },
  sandbox: { files: 0, names: [] },
  closed: 0,
};

/** Nothing is installed, and nothing was asked. */
export const noPackages: PublicationsState = {
  workspaceId: 'lab',
  hasRuleEditor: true,
  rulesFrom: 'publications',
  packages: [],
  active: null,
  candidate: null,
  pinned: null,
  check: null,
  lastCheck: null,
  options: defaultRuleOptions,
  hasPassword: false,
};

/** Nothing to scan with but the portable engine, and no rules for it. */
export const noPlan: ScanPlan = {
  service: null,
  cannotScan: false,
  package: null,
  local: { engine: 'wasm', nativeFailure: null, chosen: 'auto' },
  limitBytes: 512 * 2 ** 20,
  limitSeconds: 30,
};

/** Nothing was scanned. */
export const emptySummary: ScanSummary = {
  files: 0,
  scanned: 0,
  withHits: 0,
  clean: 0,
  trouble: 0,
  differs: 0,
  rules: 0,
  families: 0,
  hits: 0,
  muted: 0,
  added: 0,
  lost: 0,
};

/** Nothing is stored yet. */
export const emptyStorage: StorageState = {
  directory: '/data',
  places: [],
  freeBytes: null,
  unusedBytes: 0,
  samples: 0,
  lastCheck: null,
  oldCopy: null,
  lastBackup: null,
  backupFolder: null,
};

/** No folder is watched. */
export const idleWatch: WatchState = {
  folder: null,
  isOn: false,
  workspaceId: null,
  failure: null,
  leftAlone: 0,
  found: 0,
  files: [],
};

/** Of a person who has been through the welcome. */
export const usedSettings: Settings = { ...defaultSettings, welcomed: true };

export const muteUndo = '6c1d5c2e-38a5-4c0e-9d7b-2f6f4d1c7a10';
