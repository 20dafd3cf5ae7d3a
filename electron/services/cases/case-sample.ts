import { type CaseOptions, mostMispSampleMebibytes } from '../../../shared/domain/case.ts';
import { defang } from '../../../shared/domain/defang.ts';
import type { SampleNote } from '../../../shared/domain/library.ts';
import { escaped } from '../../../shared/domain/sample-table.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { isTlpUnknown, strictestTlp, type TlpLevel } from '../../../shared/domain/tag.ts';
import { visibleLine, visibleText } from '../../../shared/domain/visible-text.ts';

/** A person's text about a sample; all of it is untrusted. `id` is of this one comment on this computer. */
export interface CaseComment {
  id: string;
  author: string | null;
  /** As sent: a time without a zone is a service's local time. */
  created: string | null;
  text: string;
}

/** A sample in a case: fields that were not requested are empty. */
export interface CaseSample extends SampleFacts {
  /** What it is known by: its SHA-256, or its MD5 until one is known. */
  hash: string;
  /** As a service reports it. */
  mime: string | null;
  note: SampleNote | null;
  comments: readonly CaseComment[];
  /** How its bytes look (`ByteStrip`). */
  strip: string | null;
}

/** What is said of the case as a whole. */
export interface CaseHead {
  /** Which computer made it: two computers never give one identifier to their cases. */
  computerId: string;
  title: string;
  /** "" for none. */
  author: string;
  tlp: TlpLevel | null;
  include: CaseOptions['include'];
  made: Date;
  summary: CaseSummary;
}

/** A case on its way out. `pages` gives the samples from the first one on each time it is called. */
export interface CaseStory {
  head: CaseHead;
  pages(): AsyncIterable<readonly CaseSample[]>;
}

const lineEnds = /\r\n?/g;
const otherLineEnds = /[\u2028\u2029]/g;

/** Untrusted text on one line, as another tool may take it: whole characters, none that is not seen. */
export const shownLine = (text: string): string => visibleLine(text.toWellFormed());

/** The same of several lines. */
export const shownText = (text: string): string => visibleText(text.toWellFormed().replaceAll(lineEnds, '\n'));

/** The same as a person reads it: no address in it can be followed. */
export const harmlessText = (text: string): string => shownText(defang(text));

/** JSON on one line in which nothing is hidden, and that is read back as it was. */
export const plainJson = (value: object): string => escaped(visibleText(JSON.stringify(value)), otherLineEnds);

export const isSaid = (text: string | null): text is string => text !== null && text.trim() !== '';

export const tlpName = (level: TlpLevel): string => `TLP:${level.toUpperCase()}`;

/** Of two times in UTC. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);

export type Counts = ReadonlyMap<string, number>;

/** What the samples of a case are together. */
export interface CaseSummary {
  samples: number;
  /** Of those whose size is known. */
  bytes: number;
  /** Samples that no event can carry: not in the vault, or too large. */
  withoutBytes: number;
  /** The strictest that is known. */
  tlp: TlpLevel | null;
  /** Samples whose TLP is not known here. */
  unknownTlps: number;
  /** UTC, ISO 8601; null without samples. */
  firstSeen: string | null;
  lastSeen: string | null;
  /** By name, from a tag, else from the threat name; empty for a table, which may have any number of samples. */
  families: Counts;
  /** Of these alone what a tag names. */
  taggedFamilies: Counts;
  types: Counts;
  /** First seen, by day in UTC: `2026-11-18`. */
  days: Counts;
}

const mebibyte = 1024 * 1024;
const familyTag = /^family:(.+)$/i;
const dayLength = 'YYYY-MM-DD'.length;

/** As a tag names it, local tags first. */
function taggedFamily({ tags, serviceTags }: SampleFacts): string | null {
  for (const tag of [...tags, ...serviceTags]) {
    const named = familyTag.exec(tag)?.[1]?.trim();
    if (named) return named;
  }
  return null;
}

/** Adds samples up. `groups`: whether it counts them by what they are, for which it keeps each name. */
export class CaseSums {
  readonly #groups: boolean;
  readonly #families = new Map<string, number>();
  readonly #taggedFamilies = new Map<string, number>();
  readonly #types = new Map<string, number>();
  readonly #days = new Map<string, number>();
  #samples = 0;
  #bytes = 0;
  #withoutBytes = 0;
  #tlp: TlpLevel | null = null;
  #unknownTlps = 0;
  #firstSeen: string | null = null;
  #lastSeen: string | null = null;

  constructor({ groups }: { groups: boolean }) {
    this.#groups = groups;
  }

  add(sample: SampleFacts): void {
    this.#samples += 1;
    this.#bytes += sample.sizeBytes ?? 0;
    this.#withoutBytes += Number(!sample.inVault || (sample.sizeBytes ?? 0) > mostMispSampleMebibytes * mebibyte);
    this.#tlp = strictestTlp([this.#tlp, sample.tlp]);
    this.#unknownTlps += Number(isTlpUnknown(sample));
    if (this.#firstSeen === null || sample.firstSeen < this.#firstSeen) this.#firstSeen = sample.firstSeen;
    if (this.#lastSeen === null || sample.lastSeen > this.#lastSeen) this.#lastSeen = sample.lastSeen;
    if (!this.#groups) return;
    const tagged = taggedFamily(sample);
    if (tagged !== null) addOne(this.#taggedFamilies, tagged);
    addOne(this.#families, tagged ?? sample.threat);
    addOne(this.#types, sample.type);
    addOne(this.#days, sample.firstSeen.slice(0, dayLength));
  }

  get summary(): CaseSummary {
    return {
      samples: this.#samples,
      bytes: this.#bytes,
      withoutBytes: this.#withoutBytes,
      tlp: this.#tlp,
      unknownTlps: this.#unknownTlps,
      firstSeen: this.#firstSeen,
      lastSeen: this.#lastSeen,
      families: this.#families,
      taggedFamilies: this.#taggedFamilies,
      types: this.#types,
      days: this.#days,
    };
  }
}

function addOne(counts: Map<string, number>, name: string | null): void {
  const key = isSaid(name) ? name : '';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Whole events are found by few tags. */
const mostFamilies = 50;

/** The families of a case as tags, the most frequent first. */
export const familyTagsOf = ({ taggedFamilies }: CaseSummary): string[] =>
  [...taggedFamilies]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostFamilies)
    .map(([family]) => `family:${shownLine(family)}`);

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const step = 1024;

/** `18 bytes`, `1.4 MiB`. */
export function formatBytes(count: number): string {
  if (count === 1) return '1 byte';
  let [value, unit] = [count, 0];
  for (; value >= step && unit < units.length - 1; unit += 1) value /= step;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? ''}`;
}

export const formatCount = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/**
 * What the samples of one case are known by in identifiers: the MD5, which is known first and stays, so that a sample
 * included again once more of its hashes are known is the same one. Of several rows with one MD5 the oldest has it
 * alone.
 */
export class SampleNames {
  readonly #taken = new Set<string>();

  /** To be asked once for each sample. */
  of({ md5, sha256, sha1 }: Pick<CaseSample, 'md5' | 'sha256' | 'sha1'>): string {
    const short = md5 ?? sha256 ?? sha1 ?? '';
    const name = this.#taken.has(short) ? `${short}/${sha256 ?? ''}` : short;
    this.#taken.add(name);
    return name;
  }
}
