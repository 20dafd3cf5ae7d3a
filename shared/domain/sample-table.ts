import { csvLine } from './csv.ts';
import { defang } from './defang.ts';
import type { FoundHash, HashKind } from './hash.ts';
import type { SampleFacts } from './sample.ts';
import { spelledOut, visibleLine, visibleText } from './visible-text.ts';

/**
 * Untrusted text as a person may read and paste it anywhere: on one line, nothing invisible in it, no address that
 * could be followed.
 */
export const harmlessWords = (text: string): string => visibleLine(defang(text.toWellFormed()));

/** Spells out what a pattern finds as visibleText does: `\u000a`. The pattern must be global. */
export const escaped = (text: string, pattern: RegExp): string => text.replace(pattern, (found) => spelledOut(found));

/**
 * RFC 4180, in UTF-8. Sizes are in bytes; tags and rules are joined by commas, which no tag and no rule's name holds.
 */
export const sampleColumns: readonly string[] = [
  'sha256',
  'sha1',
  'md5',
  'name',
  'size_bytes',
  'type',
  'tlp',
  'threat',
  'tags',
  'service_tags',
  'hits',
  'first_seen',
  'last_seen',
  'in_vault',
];
export const sampleCells = (sample: ReportedSample): (string | number | null)[] => [
  sample.sha256,
  sample.sha1,
  sample.md5,
  sample.name,
  sample.sizeBytes,
  sample.type,
  sample.tlp,
  sample.threat,
  listCell(sample.tags),
  listCell(sample.serviceTags),
  listCell(sample.hits),
  sample.firstSeen,
  sample.lastSeen,
  sample.inVault === null ? null : yesOrNo(sample.inVault),
];

const sampleCsvHead = csvLine(sampleColumns);
const sampleCsvRow = (sample: ReportedSample): string => csvLine(sampleCells(sample));

const listCell = (words: readonly string[]): string => words.join(',');

const yesOrNo = (holds: boolean): string => (holds ? 'yes' : 'no');

/** A sample on a line that may be pasted into a mail or a chat. */
function sampleDefangedLine(sample: ReportedSample): string {
  const head = `${orNull(sample.name) ?? 'unnamed'} (${bestHash(sample)?.value ?? 'hash unknown'})`;
  const facts = [
    sample.sizeBytes === null ? null : bytes(sample.sizeBytes),
    orNull(sample.type),
    sample.tlp && `TLP:${sample.tlp.toUpperCase()}`,
    orNull(sample.threat),
    listed('tags', sample.tags),
    listed('service tags', sample.serviceTags),
    listed('hits', sample.hits),
  ].filter((fact) => fact !== null);
  return `${[head, ...facts].map(harmlessWords).join('; ')}\n`;
}

const bytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);

const orNull = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text);

function listed(what: string, words: readonly string[]): string | null {
  const shown = words.filter((word) => orNull(word) !== null);
  return shown.length === 0 ? null : `${what}: ${shown.join(', ')}`;
}

const strongestFirst: readonly HashKind[] = ['sha256', 'sha1', 'md5'];

/** The strongest hash that is known of a sample; null when none is. */
export function bestHash(sample: ReportedSample): FoundHash | null {
  for (const kind of strongestFirst) {
    const value = sample[kind];
    if (value !== null) return { kind, value };
  }
  return null;
}

const sampleJsonHead = '[';
/** `index`: from 0. */
const sampleJsonRow = (sample: ReportedSample, index: number): string =>
  `${index === 0 ? '' : ','}\n  ${plainJson(sample, 2).replaceAll('\n', '\n  ')}`;
const sampleJsonTail = (count: number): string => (count === 0 ? ']\n' : '\n]\n');

const sampleJsonLine = (sample: ReportedSample): string => `${plainJson(sample, 0)}\n`;

const otherLineEnds = /[\u2028\u2029]/g;

/**
 * What is invisible, or ends a line for some readers, is spelt out the way JSON has it too: it is read back as it was.
 */
const plainJson = (sample: ReportedSample, indentation: number): string =>
  escaped(visibleText(JSON.stringify(inOrder(sample), null, indentation)), otherLineEnds);

const inOrder = ({
  sha256,
  sha1,
  md5,
  name,
  sizeBytes,
  type,
  tlp,
  threat,
  tags,
  serviceTags,
  hits,
  firstSeen,
  lastSeen,
  inVault,
}: ReportedSample): ReportedSample => ({
  sha256,
  sha1,
  md5,
  name,
  sizeBytes,
  type,
  tlp,
  threat,
  tags,
  serviceTags,
  hits,
  firstSeen,
  lastSeen,
  inVault,
});

const columns = ['Hash', 'Name', 'Bytes', 'Type', 'TLP', 'Threat', 'Tags', 'Service tags', 'Hits'];

/** A table as GitHub's dialect has it. */
export const sampleMarkdownHead = `${line(columns)}${line(columns.map(() => '---'))}`;

export const sampleMarkdownRow = (sample: ReportedSample): string =>
  line([
    markdownCode(bestHash(sample)?.value ?? null),
    markdownCode(sample.name),
    sample.sizeBytes === null ? '' : String(sample.sizeBytes),
    markdownCode(sample.type),
    sample.tlp?.toUpperCase() ?? '',
    markdownCode(sample.threat),
    codes(sample.tags),
    codes(sample.serviceTags),
    codes(sample.hits),
  ]);

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** What would end a cell or its code, and what begins HTML where code is not understood. */
const structure = /[|`<]/g;

/**
 * Untrusted text as code on one line, in which nothing is markup, a link or a mention of a person; "" for blank text.
 * An escape by backslash would depend on the dialect.
 */
export const markdownCode = (text: string | null): string =>
  text === null || text.trim() === '' ? '' : `\`${escaped(harmlessWords(text), structure)}\``;

const codes = (words: readonly string[]): string =>
  words
    .map(markdownCode)
    .filter((word) => word !== '')
    .join(', ');

/**
 * How samples are written as text: one hash a line (`hashes`: the best known of each), tables, readable lines, a rule.
 */
export const sampleFormats = [
  'sha256',
  'sha1',
  'md5',
  'hashes',
  'csv',
  'json',
  'json-lines',
  'markdown',
  'defanged',
  'yara',
] as const;
export type SampleFormat = (typeof sampleFormats)[number];

const rowsAtOnce = 200;

/**
 * Samples as text, in pieces of a few milliseconds each, for a thread that has other things to do. A rule is one piece.
 */
export function* sampleTextPieces(samples: readonly ReportedSample[], format: SampleFormat): Generator<string, void> {
  if (format === 'yara') {
    yield sampleRule(samples);
    return;
  }
  const { head, row, tail } = writers[format];
  yield head;
  for (let first = 0; first < samples.length; first += rowsAtOnce) {
    yield samples
      .slice(first, first + rowsAtOnce)
      .map((sample, index) => row(sample, first + index))
      .join('');
  }
  yield tail(samples.length);
}

/** How many of the samples the text leaves out, because the hash it needs is not known of them. */
export function countWithout(samples: readonly ReportedSample[], format: SampleFormat): number {
  if (format === 'sha256' || format === 'sha1' || format === 'md5')
    return samples.filter((sample) => sample[format] === null).length;
  return format === 'hashes' || format === 'yara' ? samples.filter((sample) => bestHash(sample) === null).length : 0;
}

interface SampleWriter {
  head: string;
  /** `index`: from 0. */
  row(sample: ReportedSample, index: number): string;
  tail(count: number): string;
}

const lines = (row: (sample: ReportedSample) => string, head = ''): SampleWriter => ({ head, row, tail: () => '' });

const ended = (hash: string | null): string => (hash === null ? '' : `${hash}\n`);
const hashLines = (kind: HashKind): SampleWriter => lines((sample) => ended(sample[kind]));

const writers: Readonly<Record<Exclude<SampleFormat, 'yara'>, SampleWriter>> = {
  sha256: hashLines('sha256'),
  sha1: hashLines('sha1'),
  md5: hashLines('md5'),
  hashes: lines((sample) => ended(bestHash(sample)?.value ?? null)),
  csv: lines(sampleCsvRow, sampleCsvHead),
  json: { head: sampleJsonHead, row: sampleJsonRow, tail: sampleJsonTail },
  'json-lines': lines(sampleJsonLine),
  markdown: lines(sampleMarkdownRow, sampleMarkdownHead),
  defanged: lines(sampleDefangedLine),
};

/** A sample that is written as text: with all facts of the library, or with the fewer facts of a list. */
export type ReportedSample = Omit<
  SampleFacts,
  'ownTlp' | 'isRecorded' | 'firstSeen' | 'lastSeen' | 'inVault' | 'hasBytes'
> & {
  /** UTC, ISO 8601; null: not in the list. */
  firstSeen: string | null;
  lastSeen: string | null;
  /** null: not in the list. */
  inVault: boolean | null;
};

const nothingReported: ReportedSample = {
  sha256: null,
  sha1: null,
  md5: null,
  name: null,
  sizeBytes: null,
  type: null,
  tlp: null,
  threat: null,
  tags: [],
  serviceTags: [],
  hits: [],
  firstSeen: null,
  lastSeen: null,
  inVault: null,
};

/** Of a list that contains only the given facts. */
export const reportedSample = (reported: Partial<ReportedSample>): ReportedSample => ({
  ...nothingReported,
  ...reported,
});

/** More conditions in one rule take an engine seconds to compile; the caller keeps to it. */
export const mostInOneRule = 5000;

/**
 * One YARA rule that finds these samples and nothing else, each by its best known hash. Needs the module `hash`. Its
 * name is the same for the same samples in any order. Empty when no sample has a hash: such a rule would find nothing.
 */
export function sampleRule(samples: readonly ReportedSample[]): string {
  const conditions = [
    ...new Set(
      samples
        .map(bestHash)
        .filter((hash) => hash !== null)
        .map(condition),
    ),
  ];
  if (conditions.length === 0) return '';
  return [
    'import "hash"',
    '',
    `rule vitrine_${conditions.length}_samples_${digest(conditions.toSorted())}`,
    '{',
    '  meta:',
    '    description = "Matches exactly these samples, by hash"',
    `    samples = ${conditions.length}`,
    '  condition:',
    conditions.map((each) => `    ${each}`).join(' or\n'),
    '}',
    '',
  ].join('\n');
}

const condition = ({ kind, value }: FoundHash): string => `hash.${kind}(0, filesize) == "${value}"`;

/** FNV-1a over the texts, as eight hexadecimal digits: distinguishes names, protects nothing. */
function digest(texts: readonly string[]): string {
  let state = 0x811c9dc5;
  for (const text of texts)
    for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(16).padStart(8, '0');
}
