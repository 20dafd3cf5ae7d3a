import type { LocalEngine, ScanPackage, ScanSide } from '../../../shared/domain/scan.ts';
import type { Failure } from '../../../shared/failure.ts';
import { cutText } from '../../rules/library/cut-text.ts';
import type { ScannedVerdict } from '../../rules/scanning/scan-verdict.ts';
import type { StoredResult } from '../../storage/scans/scan-store.ts';

export interface LocalFacts {
  engine: LocalEngine;
  package: ScanPackage;
  /** Global rules that it scans without. */
  withoutGlobal: readonly string[];
}

/** Of a string's name: an engine has no limit to it. */
const longestId = 200;

const nothing = { elapsedMs: 0, hits: [], isCut: false, withoutGlobal: [], failure: null, raw: null };

export const localResult = (
  { engine, package: used, withoutGlobal }: LocalFacts,
  { elapsedMs, found, isCut, namesLeftOut }: Omit<ScannedVerdict, 'kind'>,
): StoredResult => ({
  ...nothing,
  side: 'local',
  state: 'scanned',
  engine,
  package: used,
  elapsedMs: Math.round(elapsedMs),
  isCut,
  ...(namesLeftOut > 0 && { namesLeftOut }),
  withoutGlobal: [...withoutGlobal],
  hits: found.map(({ rule, strings }) => ({
    rule,
    strings: strings.map(({ id, ...same }) => ({ id: cutText(id, longestId), ...same })),
  })),
});

export const failedResult = (
  side: ScanSide,
  facts: Omit<LocalFacts, 'withoutGlobal'> | null,
  failure: Failure,
): StoredResult => ({
  ...nothing,
  side,
  state: 'failed',
  engine: facts?.engine ?? null,
  package: facts?.package ?? null,
  failure,
});
