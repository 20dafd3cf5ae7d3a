import { sentenceFor } from '../failure-sentences.ts';
import { csvFileHead, csvLine } from './csv.ts';
import type { MatchedString, RuleHit, ScannedFile, ScanResult, StringMatch } from './scan.ts';

/**
 * Results of a scan as text, for the clipboard and for a file. Made page by page: the pieces are put one behind the
 * other.
 */

/**
 * A line for each match; one for a rule without strings, and for a result without hits. Offsets and lengths are in
 * bytes.
 */
export const scanCsvFileHead = csvFileHead([
  'sha256',
  'name',
  'size_bytes',
  'scanned_by',
  'engine',
  'package',
  'outcome',
  'reason',
  'rule',
  'namespace',
  'family',
  'tags',
  'muted',
  'string',
  'offset',
  'length',
  'data',
  'without_global_rules',
]);

export const scanCsvRows = (files: readonly ScannedFile[]): string =>
  files.flatMap((file) => file.results.flatMap((result) => linesOf(file, result))).join('');

function linesOf(file: ScannedFile, result: ScanResult): string[] {
  const head = [
    file.sha256,
    file.name,
    file.sizeBytes,
    sideWords[result.side],
    result.engine,
    result.package?.version ?? null,
    outcomeOf(result),
    reasonOf(result),
  ];
  const without = result.withoutGlobal.length === 0 ? null : result.withoutGlobal.join(' ');
  if (result.hits.length === 0) return [csvLine([...head, ...Array.from({ length: 9 }, () => null), without])];
  return result.hits.flatMap((hit) =>
    matchesOf(hit).map(([string, match]) =>
      csvLine([
        ...head,
        hit.rule,
        hit.namespace,
        hit.family,
        hit.tags.join(' '),
        isMuted(file, hit) ? 'yes' : 'no',
        string?.id ?? null,
        match?.offset ?? null,
        match?.length ?? null,
        match?.data ?? null,
        without,
      ]),
    ),
  );
}

function matchesOf({ strings }: RuleHit): [MatchedString | null, StringMatch | null][] {
  const all = strings.flatMap((string) => string.matches.map((match): [MatchedString, StringMatch] => [string, match]));
  return all.length === 0 ? [[null, null]] : all;
}

export const scanJsonHead = '[';
export const scanJsonTail = '\n]\n';

/** `isFirst`: nothing came before these files. */
export function scanJsonRows(files: readonly ScannedFile[], isFirst: boolean): string {
  return files.map((file, index) => `${isFirst && index === 0 ? '\n' : ',\n'}${JSON.stringify(jsonOf(file))}`).join('');
}

const jsonOf = (file: ScannedFile): object => ({
  sha256: file.sha256,
  md5: file.md5,
  name: file.name,
  sizeBytes: file.sizeBytes,
  newHits: file.added,
  lostHits: file.lost,
  results: file.results.map((result) => ({
    scannedBy: sideWords[result.side],
    engine: result.engine,
    package: result.package?.version ?? null,
    outcome: outcomeOf(result),
    reason: reasonOf(result),
    elapsedMs: result.elapsedMs,
    isCut: result.isCut,
    withoutGlobalRules: result.withoutGlobal,
    hits: result.hits.map((hit) => ({
      rule: hit.rule,
      namespace: hit.namespace,
      family: hit.family,
      tags: hit.tags,
      muted: isMuted(file, hit),
      meta: hit.meta,
      strings: hit.strings,
    })),
  })),
});

const sideWords: Record<ScanResult['side'], string> = { service: 'rule editor', local: 'local' };

function outcomeOf({ state, hits }: ScanResult): string {
  if (state === 'not-understood') return 'not understood';
  if (state === 'failed') return 'failed';
  return hits.length > 0 ? 'hit' : 'clean';
}

function reasonOf({ failure }: ScanResult): string | null {
  if (failure === null) return null;
  const { what, then } = sentenceFor(failure);
  return `${what}. ${then}`;
}

const isMuted = ({ muted }: ScannedFile, { rule }: RuleHit): boolean => muted.some((mute) => mute.rule === rule);
