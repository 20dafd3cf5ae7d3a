import type { Json } from '../../../shared/domain/sample.ts';
import { firstMember, isObject, listOf, membersOf } from './named-members.ts';
import { readCount, readFlag } from './values.ts';

/** What a member around the matches is about. */
export type NameKind =
  'matches' | 'list' | 'package' | 'version' | 'rules' | 'error' | 'valid' | 'any' | 'count' | 'words' | 'left-out';

const names: readonly (readonly [NameKind, readonly string[]])[] = [
  // Those of nothing but matches; and those that may as well be of a state, of the file or of what is yet to come.
  ['matches', ['matches', 'match', 'hits', 'detections', 'matchedrules', 'matchingrules']],
  ['list', ['results', 'result', 'data', 'rules', 'files', 'scan', 'scanresult', 'scanresults', 'response', 'yara']],
  ['package', ['publication', 'package', 'ruleset']],
  ['version', ['version', 'publicationversion', 'packageversion', 'rulesversion', 'rulesetversion']],
  ['rules', ['rulecount', 'rulescount', 'numrules', 'totalrules', 'rulesloaded', 'rulesscanned']],
  ['error', ['error', 'errors']],
  ['valid', ['valid', 'isvalid', 'success', 'ok']],
  ['any', ['hasmatches', 'hasmatch', 'matched', 'ismatch']],
  ['count', ['count', 'total', 'matchcount', 'matchescount', 'hitcount', 'nummatches', 'totalmatches']],
  ['left-out', ['leftout']],
  ['words', ['status', 'message', 'msg', 'reason', 'detail']],
];
export const nameKinds: ReadonlyMap<string, NameKind> = new Map(
  names.flatMap(([kind, alike]) => alike.map((name) => [name, kind] as const)),
);

/** Facts about the file and about the scan: neither says what was found. */
export const factNames: ReadonlySet<string> = new Set([
  'file',
  'filename',
  'name',
  'path',
  'size',
  'filesize',
  'md5',
  'sha1',
  'sha256',
  'sha512',
  'hash',
  'mime',
  'mimetype',
  'filetype',
  'date',
  'time',
  'timestamp',
  'created',
  'started',
  'finished',
  'elapsed',
  'elapsedms',
  'elapsedseconds',
  'duration',
  'scantime',
  'took',
  'engine',
  'engineversion',
  'id',
  'scanid',
  'requestid',
  'action',
  'group',
  'publicationid',
  'packageid',
  'index',
]);

/** Words for lists of other things: an empty one is no rule that matched without strings. */
export const noRules: ReadonlySet<string> = new Set([
  'alerts',
  'findings',
  'warnings',
  'items',
  'entries',
  'list',
  'rows',
  'objects',
  'signatures',
  'strings',
  'tags',
  'logs',
  'messages',
  'output',
  'found',
  'infos',
  'names',
  'leftout',
]);

const good =
  /^\s*(?:200|true|ok|success|successful|done|finished|completed?|scanned|no match(?:es)?(?: found)?)\.?\s*$/i;
const bad = /^\s*(?:false|error|failed|failure|fail)\s*$/i;
const wordsNames = ['message', 'text', 'description', 'reason', 'code'];

/** What one object says around its matches. */
export class ScanSayings {
  #lists = 0;
  /** Two lists that cannot both be the one of the matches. */
  #isTwofold = false;
  #hasMatches: boolean | null = null;
  #isFailed = false;
  #error = '';
  #words: string[] = [];

  /** Whether it was understood, and is no contradiction. */
  take(kind: 'error' | 'valid' | 'any' | 'count' | 'words', value: Json): boolean {
    if (value === null || value === '') return true;
    if (kind === 'error') return this.#takeError(value);
    if (kind === 'words') return this.#takeWords(value);
    const flag = kind === 'count' || typeof value === 'number' ? isMore(readCount(value)) : readFlag(value);
    if (typeof flag !== 'boolean') return false;
    if (kind === 'valid') this.#isFailed ||= !flag;
    else if (this.#hasMatches === null) this.#hasMatches = flag;
    else return this.#hasMatches === flag;
    return true;
  }

  /** That there was a list with so many matches. */
  list(found: number): void {
    this.#lists += 1;
    this.#hasMatches ??= found > 0;
    this.#isTwofold ||= this.#hasMatches !== found > 0 || (this.#lists > 1 && found > 0);
  }

  failure(): string | null {
    if (!this.#isFailed) return null;
    return this.#error || (this.#words.find((words) => !bad.test(words) && !good.test(words)) ?? '');
  }

  /** Whether that is all the object says: that it found so many, and not more words than are understood. */
  agreesWith(found: number): boolean {
    return this.#hasMatches === found > 0 && !this.#isTwofold && this.#words.every((words) => good.test(words));
  }

  #takeError(value: Json): boolean {
    const isError = value !== false && value !== 0 && value !== '0' && listOf(value)?.length !== 0;
    this.#isFailed ||= isError;
    if (isError) this.#error ||= wordsOf(value);
    return true;
  }

  #takeWords(value: Json): boolean {
    if (typeof value === 'object') return false;
    this.#isFailed ||= bad.test(String(value));
    this.#words.push(String(value));
    return true;
  }
}

const isMore = (count: number | null | undefined): boolean | undefined =>
  typeof count === 'number' ? count > 0 : undefined;

function wordsOf(error: Json): string {
  const [first = null] = listOf(error) ?? [error];
  const words = isObject(first) ? firstMember(membersOf(first), wordsNames) : first;
  return typeof words === 'string' || typeof words === 'number' ? String(words) : '';
}
