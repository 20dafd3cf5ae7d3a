import { mostMispSampleMebibytes } from '../../../shared/domain/case.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { isTlpUnknown, strictestTlp, type TlpLevel } from '../../../shared/domain/tag.ts';
import { isSaid } from './case-words.ts';

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
  /** By name, as a tag says, else as the threat is called; empty of a table, which may have any number of samples. */
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

/** As a tag names it, this desk's first. */
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
    if (tagged !== null) count(this.#taggedFamilies, tagged);
    count(this.#families, tagged ?? sample.threat);
    count(this.#types, sample.type);
    count(this.#days, sample.firstSeen.slice(0, dayLength));
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

function count(counts: Map<string, number>, name: string | null): void {
  const key = isSaid(name) ? name : '';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
