import type { Hashes } from '../../shared/domain/hash.ts';
import type { RuleHit, ScanResult } from '../../shared/domain/scan.ts';
import type { TlpLevel } from '../../shared/domain/tag.ts';

/** A file with the bytes of another one of the scan. `path`: where it lies; null: nobody knows. */
export interface OtherFile {
  name: string;
  path: string | null;
}

/** A file of a scan, under the position its item has in the job. */
export interface ScanFileRow {
  position: number;
  /** Untrusted text. */
  name: string | null;
  hashes: Hashes;
  sizeBytes: number;
  /** null: a sample of the vault. */
  stagedId: string | null;
  /** Where its bytes are found again: kept as JSON, and never looked into. */
  place: unknown;
  /** The other files with these bytes; not there: none. */
  also?: readonly OtherFile[];
  /** As the person said it. */
  tlp: TlpLevel | null;
}

/**
 * A file of a scan, or a sample of a hunt, which has no row of its own: what the library knows of it. The library knows
 * its TLP too.
 */
export interface StoredScanFile extends Omit<ScanFileRow, 'hashes' | 'sizeBytes' | 'tlp' | 'also'> {
  sha256: string;
  also: readonly OtherFile[];
  /** null: not all of them are known. */
  hashes: Hashes | null;
  sizeBytes: number | null;
}

/** What a rule of this desk's package says of itself, kept once a job. */
export type ScanRuleFacts = Pick<RuleHit, 'rule' | 'tags' | 'meta' | 'family' | 'place'>;

/** A hit as a result keeps it. What is not given is as `addRules` tells it of the rule. */
export type StoredHit = Pick<RuleHit, 'rule' | 'strings'> &
  Partial<Pick<RuleHit, 'namespace' | 'tags' | 'meta' | 'family'>>;

/** Of `raw` the first 100,000 characters are kept. */
export interface StoredResult extends Omit<ScanResult, 'hits'> {
  /** Each rule once. */
  hits: readonly StoredHit[];
}

/** What one side said of one file. */
export interface ScanNote {
  position: number;
  sha256: string;
  result: StoredResult;
  /** Only of these rules it is known that they hit no more. */
  rulesLookedWith: 'all' | ReadonlySet<string>;
}

/** The hunt of a workspace's vault that was over last. `ended` is UTC, ISO 8601. */
export interface LastHunt {
  jobId: number;
  ended: string;
  /** The package it was made with. */
  sha256: string | null;
  version: string | null;
}

/** How long the engine took for each scan. */
export interface ScanPace {
  scanMs: number;
}
