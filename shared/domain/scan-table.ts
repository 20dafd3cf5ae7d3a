import { sentenceFor } from '../failure-sentences.ts';
import { csvFileHead, csvLine } from './csv.ts';
import type { Job } from './job.ts';
import type { KnownBesides, KnownRules, MatchedString, RuleHit, ScannedFile, ScanResult, StringMatch } from './scan.ts';

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

/**
 * English of scan results that the page and the command line share. Names of rules, threats and versions in it are
 * untrusted text.
 */

const plural = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${one}s`;

/**
 * `no hits (409 rules)`. `looked`: the number of rules of each result of a file, the local one first, null if a side
 * does not give it. A local rule that was left out in the middle of the job does not count.
 */
export const noHitsWords = (job: Pick<Job, 'task' | 'notices'>, looked: readonly (number | null)[]): string =>
  `no hits (${lookedWords(job, looked)})`;

/** Of all files of a job. A rule editor gives its number of rules only with each answer. */
export function noHitsOfJob(job: Pick<Job, 'task' | 'notices'>): string {
  const { task } = job;
  if (task.kind === 'hunt') return noHitsWords(job, []);
  return task.kind === 'scan' && task.engines === 'local' ? noHitsWords(job, [task.package?.rules ?? null]) : 'no hits';
}

/** `409 rules`, `408 of 409 rules`, or `409 rules here, 388 rules in the rule editor`. */
export function lookedWords(
  { task, notices }: Pick<Job, 'task' | 'notices'>,
  looked: readonly (number | null)[],
): string {
  const leftOut = new Set(notices.flatMap((notice) => (notice.kind === 'scan-rule-left-out' ? [notice.rule] : [])))
    .size;
  if (task.kind === 'hunt') return rulesWords(task.rules, leftOut);
  const [first = null, second] = looked;
  if (task.kind !== 'scan' || task.engines === 'service') return rulesWords(first, 0);
  const here = rulesWords(first, leftOut);
  if (second === undefined) return here;
  const there = second === null ? 'unknown' : rulesWords(second, 0);
  return here === there ? here : `${here} here, ${there} in the rule editor`;
}

function rulesWords(rules: number | null, leftOut: number): string {
  if (rules === null) return 'number of rules unknown';
  return leftOut === 0
    ? plural(rules, 'rule')
    : `${Math.max(0, rules - leftOut).toLocaleString('en')} of ${plural(rules, 'rule')}`;
}

/**
 * What is known besides, a phrase each, with names: `2 older hits, with rules 1.2: a, b`. Empty: nothing that speaks
 * against the sample.
 */
export function knownWords({ hits, older, severity, threat }: KnownBesides): string[] {
  return [
    ...(hits.count > 0 ? [`${plural(hits.count, 'known hit')}${byWords(hits)}: ${namesOf(hits)}`] : []),
    ...(older.count > 0 ? [`${plural(older.count, 'older hit')}${byWords(older)}: ${namesOf(older)}`] : []),
    ...recordWords(severity, threat),
  ];
}

/** The same in short, for a row of a list: `2 known hits, severity bad`. */
export function knownShort({ hits, older, severity, threat }: KnownBesides): string {
  return [
    ...(hits.count > 0 ? [plural(hits.count, 'known hit')] : []),
    ...(older.count > 0 ? [plural(older.count, 'older hit')] : []),
    ...recordWords(severity, threat).map((words) =>
      words.replace(/^(?:Severity|Threat): /, (label) => label.toLowerCase().replace(':', '')),
    ),
  ].join(', ');
}

/** "other" is the end of the scale where nothing is said against the sample. */
function recordWords(severity: KnownBesides['severity'], threat: string | null): string[] {
  if (threat === null) return severity === null || severity === 'other' ? [] : [`Severity: ${severity}`];
  return [severity === null ? `Threat: ${threat}` : `Severity: ${severity} (${threat})`];
}

function byWords({ side, versions }: KnownRules): string {
  if (side === 'service') return ', by the rule editor';
  return versions.length === 0 ? '' : `, with rules ${versions.join(' and ')}`;
}

function namesOf({ count, rules }: KnownRules): string {
  const rest = count - rules.length;
  return `${rules.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''}`;
}
