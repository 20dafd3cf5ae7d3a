import type { LibrarySample, VaultState } from '../../../shared/domain/library.ts';
import { markdownCode } from '../../../shared/domain/sample-table.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { normalTag, type TlpLevel, tlpOf } from '../../../shared/domain/tag.ts';
import { formatExactSize, readTime, words } from '../../components/format.ts';
import { severityLevel, type SeverityLevel, severityWords } from '../../components/severity.tsx';
import { earliestSeen, recordToShow } from '../sample/shown-sample.ts';
import { text } from './strings.ts';

export interface ComparedSample {
  sample: LibrarySample;
  /** Names of rules, by its last scan. Untrusted text. */
  hits: readonly string[] | 'not-scanned' | 'not-read';
  /** Those of its hits that are muted. */
  muted: readonly string[];
}

/** One fact of one sample, by how it is drawn; null: it has no value. Texts are untrusted. */
export type FactValue =
  | { kind: 'name' | 'text' | 'mono' | 'hash' | 'time'; value: string }
  | { kind: 'size'; value: number }
  | { kind: 'severity'; value: SeverityLevel }
  | { kind: 'tlp'; value: TlpLevel | null }
  | { kind: 'vault'; value: VaultState };

interface ValueFact {
  kind: 'value';
  label: string;
  values: readonly (FactValue | null)[];
}

/** One of a list that not all samples have. */
interface PartlyShared {
  item: string;
  /** How many of the samples have it. */
  samples: number;
}

export type ItemKind = 'local-tag' | 'repository-tag' | 'rule';

interface ListFact {
  kind: 'list';
  label: string;
  itemKind: ItemKind;
  /** What all of them have. */
  shared: readonly string[];
  /** What else each of them has; a text: why that is not known. */
  others: readonly (readonly PartlyShared[] | string)[];
  /** Of each of them. */
  muted: readonly ReadonlySet<string>[];
}

export type ComparedFact = (ValueFact | ListFact) & {
  /** `without`: no sample has a value. */
  state: 'differs' | 'same' | 'without';
};

/** Every fact of the samples, one a row, their values in the order of the samples. */
export function compareSamples(samples: readonly ComparedSample[], workspaceId: string): ComparedFact[] {
  const { facts } = text;
  const row = (label: string, valueOf: (sample: LibrarySample) => FactValue | null): ComparedFact =>
    valueFact(
      label,
      samples.map(({ sample }) => valueOf(sample)),
    );
  const recorded = (label: string, kind: 'text' | 'mono', pick: (record: SampleRecord) => string | null) =>
    row(label, (sample) => textValue(kind, ofRecords(sample, workspaceId, pick)));
  return [
    row(facts.name, ({ row: { name } }) => textValue('name', name)),
    row(facts.sha256, ({ row: { sha256 } }) => textValue('hash', sha256)),
    row(facts.md5, ({ row: { md5 } }) => textValue('mono', md5)),
    row(facts.size, ({ row: { sizeBytes } }) => (sizeBytes === null ? null : { kind: 'size', value: sizeBytes })),
    row(facts.type, ({ row: { type } }) => textValue('text', type)),
    row(facts.severity, ({ row: { severity, isRecorded } }) => {
      const value = severityLevel(severity, isRecorded);
      return value === 'unknown' ? null : { kind: 'severity', value };
    }),
    row(facts.threat, ({ row: { threat } }) => textValue('text', threat)),
    row(facts.tlp, ({ row: { tlp, isRecorded } }) =>
      tlp === null && !isRecorded ? null : { kind: 'tlp', value: tlp },
    ),
    listFact(
      facts.hits,
      samples.map(({ hits }) => (hits === 'not-scanned' ? text.notScanned : hits === 'not-read' ? text.notRead : hits)),
      'rule',
      samples.map(({ muted }) => new Set(muted)),
    ),
    listFact(
      facts.tags,
      samples.map(({ sample }) => sample.row.tags),
      'local-tag',
    ),
    listFact(
      facts.recordTags,
      samples.map(({ sample }) => recordTags(sample)),
      'repository-tag',
    ),
    recorded(facts.signer, 'text', ({ signer }) => signer),
    recorded(facts.imphash, 'mono', ({ imphash }) => imphash),
    recorded(facts.ssdeep, 'mono', ({ ssdeep }) => ssdeep),
    recorded(facts.pdbPath, 'mono', ({ pdbPath }) => pdbPath),
    recorded(facts.uploader, 'text', ({ uploader }) => uploader),
    row(facts.firstSeen, ({ row: { firstSeen }, records }) =>
      textValue('time', earliestSeen({ firstSeen, records }).time),
    ),
    row(facts.lastSeen, ({ row: { lastSeen } }) => textValue('time', lastSeen)),
    row(facts.vault, ({ row: { vault } }) => ({ kind: 'vault', value: vault })),
  ];
}

const textValue = (kind: 'name' | 'text' | 'mono' | 'hash' | 'time', value: string | null): FactValue | null =>
  value === null || value.trim() === '' ? null : { kind, value };

/** Of the record that the page of the sample would show, else of the newest that states it. */
function ofRecords(
  { records }: LibrarySample,
  workspaceId: string,
  pick: (record: SampleRecord) => string | null,
): string | null {
  const shown = recordToShow(records, null, workspaceId);
  const stated = [...(shown === null ? [] : [shown]), ...records].map(({ record }) => pick(record));
  return stated.find((value) => value !== null && value.trim() !== '') ?? null;
}

/** Those that are local tags too are among them: the row of the library has each tag once. */
function recordTags({ row: { serviceTags, isRecorded }, records }: LibrarySample): readonly string[] | string {
  const reported = records.flatMap(({ record }) => record.tags.flatMap((tags) => tags.split(',').map(normalTag)));
  const all = new Set([...reported, ...serviceTags].filter((tag) => tag !== '' && tlpOf([tag]) === null));
  return all.size === 0 && !isRecorded ? text.noRecord : [...all];
}

function valueFact(label: string, values: readonly (FactValue | null)[]): ComparedFact {
  const different = new Set(values.map((each) => each?.value ?? (each === null ? undefined : null)));
  const isWithout = values.every((each) => each === null);
  return { kind: 'value', label, values, state: isWithout ? 'without' : different.size > 1 ? 'differs' : 'same' };
}

function listFact(
  label: string,
  lists: readonly (readonly string[] | string)[],
  itemKind: ItemKind,
  muted: readonly ReadonlySet<string>[] = lists.map(() => new Set()),
): ComparedFact {
  const known = lists.filter((list) => typeof list !== 'string').map((list) => new Set(list));
  const samplesWith = (item: string): number => known.filter((list) => list.has(item)).length;
  const isInAll = (item: string): boolean => samplesWith(item) === lists.length;
  const shared = [...(known[0] ?? [])].filter((item) => isInAll(item)).toSorted(byLetters);
  const others = lists.map((list) =>
    typeof list === 'string'
      ? list
      : [...new Set(list)]
          .filter((item) => !isInAll(item))
          .toSorted(byLetters)
          .map((item) => ({ item, samples: samplesWith(item) })),
  );
  const isWithout = known.every(({ size }) => size === 0);
  const isSame = others.every((rest) => typeof rest !== 'string' && rest.length === 0);
  const state = isWithout ? 'without' : isSame ? 'same' : 'differs';
  return { kind: 'list', label, itemKind, shared, others, muted, state };
}

/** Whether it is muted in every one of the samples. */
export const isMutedIn = (muted: readonly ReadonlySet<string>[], item: string): boolean =>
  muted.length > 0 && muted.every((rules) => rules.has(item));

const byLetters = (one: string, other: string): number => (one < other ? -1 : 1);

/** In words, as they are copied. */
function wordsOf(fact: FactValue): string {
  switch (fact.kind) {
    case 'size':
      return formatExactSize(fact.value);
    case 'severity':
      return severityWords[fact.value];
    case 'tlp':
      return fact.value === null ? words.noTlp : `TLP:${fact.value.toUpperCase()}`;
    case 'vault':
      return text.vault[fact.value];
    case 'time':
      return readTime(fact.value).text;
    default:
      return fact.value;
  }
}

/** Where a name or a hash of the service would be: it goes as code, which is no markup. */
const isCode = ({ kind }: FactValue): boolean => ['name', 'text', 'mono', 'hash'].includes(kind);

/**
 * The facts as a table of GitHub's dialect. Facts that differ are bold; texts of services are code, in which nothing is
 * markup or a link. `counts`: what is said of the facts that are left out.
 */
export function comparisonMarkdown(
  samples: readonly ComparedSample[],
  facts: readonly ComparedFact[],
  counts: string,
): string {
  const heads = samples.map(({ sample: { row } }) => markdownCode(row.name) || markdownCode(row.hash.slice(0, 12)));
  const lines = facts.flatMap((fact) => markdownLines(fact, samples.length));
  const table = [line([text.fact, ...heads]), line(['---', ...heads.map(() => '---')]), ...lines].join('');
  return counts === '' ? table : `${table}\n${counts}\n`;
}

function markdownLines(fact: ComparedFact, count: number): string[] {
  const label = fact.state === 'differs' ? `**${fact.label}**` : fact.label;
  if (fact.kind === 'value')
    return [
      line([
        label,
        ...fact.values.map((each) => (each === null ? '' : isCode(each) ? markdownCode(wordsOf(each)) : wordsOf(each))),
      ]),
    ];
  const shared = codes(fact.shared, fact.muted);
  const inAll = line([`${label}: ${text.inAll(count).toLowerCase()}`, ...fact.others.map(() => shared)]);
  const others = line([
    fact.shared.length > 0 ? `${label}: ${text.others}` : label,
    ...fact.others.map((rest, at) =>
      typeof rest === 'string'
        ? rest
        : codes(
            rest.map(({ item }) => item),
            fact.muted.slice(at, at + 1),
          ),
    ),
  ]);
  return [...(fact.shared.length > 0 ? [inAll] : []), ...(fact.state === 'same' ? [] : [others])];
}

const codes = (items: readonly string[], muted: readonly ReadonlySet<string>[]): string =>
  items.map((item) => `${markdownCode(item)}${isMutedIn(muted, item) ? ` (${text.muted})` : ''}`).join(', ');
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
