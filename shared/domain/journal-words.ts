import type { JournalRow } from './journal.ts';
import { visibleText } from './visible-text.ts';

/** A fact of an entry, in words. */
export interface JournalFact {
  /** What the value is called. */
  name: string;
  value: string;
  /** Both, for a line of several facts: `48.5 KiB`, `job 12`. */
  words: string;
  /** What was cut from the value: a hash is shown by its first digits. */
  whole?: string;
}

export interface JournalWords {
  operation: string;
  outcome: string;
  /** All that the entry has, in its order. */
  facts: JournalFact[];
  /** On one line: what is unset, off or only for programs is left out. */
  line: string;
}

type Row = Pick<JournalRow, 'operation' | 'outcome' | 'detail'>;
type Value = JournalRow['detail'][string];

/** How the place of the reader writes numbers and times. `size` is in bytes. */
export interface JournalFormat {
  time(instant: string): string;
  size(bytes: number): string;
}

/** An entry of the journal for people, the same in the page and on the command line. */
export function journalWords(row: Row, format: JournalFormat): JournalWords {
  const facts = Object.entries(row.detail).map(([key, value]) => ({
    key,
    value,
    fact: factOf(row, key, value, format),
  }));
  return {
    operation: operationOf(row),
    outcome: outcomeOf(row),
    facts: facts.map(({ fact }) => fact),
    line: facts
      .filter(({ key, value }) => value !== null && value !== false && value !== '' && !forPrograms.has(key))
      .filter(({ key }) => !(key === 'of' && isNamedByOperation(row)) && !(key === 'scope' && row.operation === 'scan'))
      .map(({ fact }) => fact.words)
      .join(', '),
  };
}

/** The entry's own hash contains it, or it means something to programs alone. */
const forPrograms: ReadonlySet<string> = new Set(['sha256', 'package', 'comment', 'remoteId', 'key']);

/** As they are stored; a hunt and a trial are among the scans. */
export const journalOperationNames: Readonly<Record<Row['operation'], string>> = {
  'look-up': 'Look-up',
  download: 'Download',
  export: 'Export',
  upload: 'Upload',
  comment: 'Comment',
  scan: 'Scan',
  'rule-update': 'Rule update',
  workspace: 'Workspace',
  'key-change': 'Journal key',
  forget: 'Forget',
  bundle: 'Bundle',
  backup: 'Backup',
  restore: 'Restore',
  watch: 'Watched folder',
  mute: 'Mute',
  add: 'Add',
  'record-change': 'Record change',
};

/** A hunt and a trial are stored as scans, and are none to the person. */
function operationOf({ operation, detail }: Row): string {
  if (operation === 'scan' && 'scope' in detail) return 'Hunt';
  if (operation === 'scan' && detail['of'] === 'trial') return 'Trial';
  return journalOperationNames[operation];
}

const isNamedByOperation = ({ operation, detail }: Row): boolean => operation === 'scan' && detail['of'] === 'trial';

const outcomesOf: Partial<Record<Row['operation'], Readonly<Record<string, string>>>> = {
  forget: { bytes: 'copy in the vault', all: 'all local data', 'brought-back': 'restored' },
  'key-change': { durable: 'key in the token store', database: 'key in the database' },
  watch: { on: 'turned on', off: 'turned off' },
  'rule-update': { 'up-to-date': 'up to date', unsure: 'reply not understood', recompiled: 'compiled again' },
};

/** Outcomes are words with hyphens, or the kind of a failure. */
function outcomeOf({ operation, outcome }: Row): string {
  const known = outcomesOf[operation] ?? {};
  return (Object.hasOwn(known, outcome) ? known[outcome] : undefined) ?? visibleText(outcome.replaceAll('-', ' '));
}

/** What a value is called. */
const names: Readonly<Record<string, string>> = {
  job: 'job',
  archive: 'archive',
  sizeBytes: 'size',
  bytes: 'size',
  files: 'files',
  copied: 'files copied',
  missed: 'files missed',
  folder: 'folder',
  file: 'file',
  to: 'target',
  form: 'format',
  of: 'content',
  rows: 'entries',
  encryption: 'encryption',
  receiver: 'receiver',
  service: 'rule editor',
  local: 'local engine',
  virusTotal: 'VirusTotal',
  sandbox: 'sandbox',
  tlp: 'TLP',
  withComment: 'with a comment',
  membersStored: 'members stored',
  membersThere: 'members already there',
  membersRefused: 'members refused',
  membersDropped: 'members dropped',
  tags: 'tags',
  difference: 'difference as',
  scope: 'rules used',
  version: 'version',
  group: 'group',
  rules: 'rules',
  rulesHit: 'rules that hit',
  done: 'files scanned',
  requests: 'requests',
  records: 'records fetched',
  unknown: 'unknown hashes',
  forbidden: 'forbidden samples',
  broken: 'broken rules',
  step: 'step',
  from: 'from',
  offered: 'offered version',
  samples: 'samples',
  failed: 'failed',
  name: 'name',
  repository: 'repository',
  ruleEditor: 'rule editor',
  forgetLibrary: 'its records forgotten',
  key: 'key',
  package: 'package',
  sha256: 'SHA-256',
  comment: 'comment',
  remoteId: 'ID at the service',
  rule: 'rule',
  sample: 'sample',
  reason: 'reason',
  expires: 'expires',
  leftAlone: 'files ignored',
  parts: 'parts',
  title: 'title',
  written: 'written',
  made: 'backup of',
  restored: 'restored',
  allowHttp: 'unencrypted allowed',
  trust: 'TLS',
  proxy: 'proxy',
  front: 'web server requires',
  repositoryToken: 'repository token',
  ruleEditorToken: 'rule editor token',
  proxyPassword: 'proxy password',
  frontPassword: 'web server password',
  clientKey: 'client certificate key',
};

/** What a number counts: one, and several. */
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  files: ['file', 'files'],
  copied: ['file copied', 'files copied'],
  missed: ['file missed', 'files missed'],
  rows: ['entry', 'entries'],
  tags: ['tag', 'tags'],
  rules: ['rule', 'rules'],
  rulesHit: ['rule hit', 'rules hit'],
  done: ['file scanned', 'files scanned'],
  requests: ['request', 'requests'],
  records: ['record fetched', 'records fetched'],
  unknown: ['unknown hash', 'unknown hashes'],
  forbidden: ['forbidden sample', 'forbidden samples'],
  broken: ['broken rule', 'broken rules'],
  samples: ['sample', 'samples'],
  failed: ['sample failed', 'samples failed'],
  leftAlone: ['file ignored', 'files ignored'],
  membersStored: ['member stored', 'members stored'],
  membersThere: ['member already there', 'members already there'],
  membersRefused: ['member refused', 'members refused'],
  membersDropped: ['member dropped', 'members dropped'],
};

/** Words that the program writes; `whole` ones need no name before them. */
const choices: Readonly<Record<string, { isWhole?: true; words: Readonly<Record<string, string>> }>> = {
  to: {
    isWhole: true,
    words: { folder: 'to the export folder', browser: 'to the browser', 'command-line': 'to the command line' },
  },
  form: {
    isWhole: true,
    words: {
      'one-zip': 'one password ZIP',
      'zip-each': 'a password ZIP per sample',
      raw: 'raw files',
      csv: 'CSV',
      json: 'JSON',
      jsonl: 'JSON Lines',
      misp: 'MISP event',
      stix: 'STIX 2.1 bundle',
      markdown: 'Markdown',
      html: 'HTML report',
      bundle: 'in a bundle',
      patch: 'patch',
    },
  },
  of: {
    isWhole: true,
    words: {
      journal: 'journal',
      rules: 'rule package',
      outcomes: 'list of job items',
      'scan results': 'scan results',
      case: 'case',
      trial: 'trial of a package',
      export: 'files of the rule editor',
    },
  },
  encryption: { isWhole: true, words: { 'aes-256': 'AES-256', zipcrypto: 'ZipCrypto' } },
  step: {
    isWhole: true,
    words: {
      check: 'update check',
      file: 'opened from a file',
      activate: 'made active',
      recompile: 'for other rules',
      relaxed: 'with relaxed regular expressions',
      strict: 'with strict regular expressions',
      variables: 'for other variables',
    },
  },
  scope: {
    words: {
      changed: 'new and changed rules',
      engine: 'rules for this engine',
      all: 'all rules',
      named: 'chosen rules',
    },
  },
  archive: {
    isWhole: true,
    words: {
      open: 'archive opened',
      partly: 'archive opened in part',
      locked: 'archive locked by a password',
      refused: 'archive not opened',
    },
  },
};

const times: ReadonlySet<string> = new Set(['made', 'restored', 'expires']);
const sizes: ReadonlySet<string> = new Set(['sizeBytes', 'bytes']);
const shortDigits = 12;
/** A SHA-256 or another hash, or a fingerprint, which are read digit by digit. */
const isHash = (value: string): boolean => /^[\da-f]{32,64}$/.test(value);
/** What one side of a scan came to, as it is stored: `native, scanned, 3 hits`. */
const scanSide = /^(.+), ([a-z-]+), (\d+) hits$/;

const counted = (count: number, [one, many]: readonly [string, string]): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Of a field that this version does not know: words instead of an identifier. */
const spelledOut = (key: string): string =>
  visibleText(
    key
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[-_]/g, ' ')
      .toLowerCase(),
  );

const nameOf = (key: string): string => (Object.hasOwn(names, key) ? names[key] : undefined) ?? spelledOut(key);

function factOf(row: Row, key: string, value: Value, format: JournalFormat): JournalFact {
  const name = nameOf(key);
  if (value === null) return { name, value: 'none', words: `${name}: none` };
  // Of a bundle: whether the bytes of the sample came too.
  if (typeof value === 'boolean' && key === 'bytes') return flag('sample file included', value);
  if (typeof value === 'boolean') return flag(name, value);
  return typeof value === 'number' ? numberFact(key, name, value, format) : textFact(row, key, name, value, format);
}

const flag = (name: string, isOn: boolean): JournalFact => ({
  name,
  value: isOn ? 'yes' : 'no',
  words: isOn ? name : `${name}: no`,
});

function numberFact(key: string, name: string, value: number, format: JournalFormat): JournalFact {
  if (key === 'job') return { name, value: String(value), words: `job ${value}` };
  if (sizes.has(key)) return { name, value: format.size(value), words: format.size(value) };
  const unit = Object.hasOwn(units, key) ? units[key] : undefined;
  const shown = value.toLocaleString('en');
  return { name, value: shown, words: unit === undefined ? `${name} ${shown}` : counted(value, unit) };
}

function textFact({ operation }: Row, key: string, name: string, value: string, format: JournalFormat): JournalFact {
  if (times.has(key)) return { name, value: format.time(value), words: `${name} ${format.time(value)}` };
  if (isHash(value)) {
    const short = value.slice(0, shortDigits);
    return { name, value: short, words: `${name} ${short}`, whole: value };
  }
  if (key === 'tlp') {
    const level = `TLP:${value.toUpperCase()}`;
    return { name, value: level, words: level };
  }
  const side = key === 'local' || key === 'service' ? scanSide.exec(value) : null;
  if (side !== null) return { name, ...sideWords(name, side) };
  const choice = Object.hasOwn(choices, key) ? choices[key] : undefined;
  const known = choice !== undefined && Object.hasOwn(choice.words, value) ? choice.words[value] : undefined;
  if (known !== undefined) return { name, value: known, words: choice?.isWhole === true ? known : `${name}: ${known}` };
  if (key === 'parts' && operation === 'record-change') {
    const parts = value.split(' ').join(', ');
    return { name, value: parts, words: `changed ${parts}` };
  }
  const shown = visibleText(value);
  return { name, value: shown, words: `${name} ${shown}` };
}

function sideWords(name: string, [, engine = '', state = '', hits = '0']: RegExpExecArray): Omit<JournalFact, 'name'> {
  const outcome = `${state.replaceAll('-', ' ')}, ${counted(Number(hits), ['hit', 'hits'])}`;
  const isNamed = engine === 'rule editor';
  const value = isNamed ? outcome : `${engine}, ${outcome}`;
  return { value, words: isNamed ? `${name}: ${outcome}` : `${name} (${engine}): ${outcome}` };
}
