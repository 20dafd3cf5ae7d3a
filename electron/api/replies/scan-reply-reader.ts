import type { Json } from '../../../shared/domain/sample.ts';
import { firstMember, isObject, listOf, membersOf, plainName, readCount, readFlag, readText } from './json-values.ts';
import { readMatchedStrings } from './matched-strings.ts';
import { type FoundRule, isRuleName, namedRule, namesRule, readRuleMatch } from './rule-match.ts';

/** What a member around the matches is about. */
type NameKind =
  'matches' | 'list' | 'package' | 'version' | 'rules' | 'error' | 'valid' | 'any' | 'count' | 'words' | 'left-out';

const namesByKind: readonly (readonly [NameKind, readonly string[]])[] = [
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
const nameKinds: ReadonlyMap<string, NameKind> = new Map(
  namesByKind.flatMap(([kind, alike]) => alike.map((name) => [name, kind] as const)),
);

/** Facts about the file and about the scan: neither shows what was found. */
const factNames: ReadonlySet<string> = new Set([
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
const noRules: ReadonlySet<string> = new Set([
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

/** What one object states around its matches. */
class ScanStatements {
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

  /** Whether that is all the object states: that it found so many, and not more words than are understood. */
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

const versionNames = ['version', 'publicationversion', 'packageversion'];
const ruleCountNames = ['rules', 'rulecount', 'rulescount', 'numrules'];

/**
 * The package a scan was made with, as the service reports it: an object, or its id alone. undefined when that is not
 * understood.
 */
function readScanPackage(value: Json): { version: string | null; rules: number | null } | undefined {
  const members = membersOf(value);
  if (
    Array.isArray(value) ||
    (isObject(value) && Object.values(value).some((part) => typeof part === 'object' && part !== null))
  )
    return undefined;
  return {
    version: readText(firstMember(members, versionNames)) ?? null,
    rules: readCount(firstMember(members, ruleCountNames)) ?? null,
  };
}

/**
 * The place of a value: the reply itself, a member of it that may hold the matches, or one that can hold nothing else.
 */
type Place = 'whole' | 'member' | 'matches';

/** Gathers the content of a reply to `scanfile`. Goes as deep as the reply does. */
export class ScanReplyReader {
  readonly found: FoundRule[] = [];
  /** Why the service could not scan, in its words or ""; null when it does not say that. */
  failure: string | null = null;
  isUnderstood = true;
  version: string | null = null;
  rules: number | null = null;
  /** The service did not look with all of its rules: what the others would have found is not known. */
  leavesOut = false;
  /** It did not look with any, at least once: that it found nothing is not known either. */
  hasNoRules = false;

  read(value: Json, place: Place): void {
    const list = listOf(value);
    if (list) this.#understand(list.every((item) => this.#readItem(item)));
    else if (value !== null) this.#understand(isObject(value) && this.#readObject(value, place));
  }

  #understand(isUnderstood: boolean): void {
    this.isUnderstood &&= isUnderstood;
  }

  #readItem(value: Json): boolean {
    if (typeof value === 'string') return isRuleName(value) && this.#add(namedRule(value));
    if (!isObject(value)) return false;
    if (namesRule(value)) return this.#add(readRuleMatch(value));
    if (hasRuleName(value)) return !hasEmptyList(value) && this.#add(readRuleMatch(value));
    return isWrapper(value) && this.#readWrapper(value);
  }

  #readObject(value: { [key: string]: Json }, place: Place): boolean {
    if (namesRule(value)) return this.#add(readRuleMatch(value));
    return isWrapper(value) ? this.#readWrapper(value) : this.#readMap(value, place);
  }

  #add(rule: FoundRule | null | undefined): boolean {
    if (rule) this.found.push(rule);
    return rule !== undefined;
  }

  /** Rules by their names, or lists of matches by their namespaces. */
  #readMap(value: { [key: string]: Json }, place: Place): boolean {
    const entries = Object.entries(value);
    const isEmpty =
      place === 'whole' && entries.every(([name, part]) => listOf(part)?.length === 0 && noRules.has(plainName(name)));
    return !isEmpty && entries.every(([name, part]) => isRuleName(name) && this.#readNamed(name, part, place));
  }

  #readNamed(name: string, value: Json, place: Place): boolean {
    if (value === null || typeof value === 'boolean')
      return place === 'matches' && (value === false || this.#add(namedRule(name)));
    const list = listOf(value);
    if (list && list.length > 0 && list.every(namesRule)) return list.every((item) => this.#readItem(item));
    if (isObject(value) && !list && !Object.keys(value).every((key) => key.startsWith('$')))
      return this.#add(readRuleMatch(value, name));
    const strings = typeof value === 'object' ? readMatchedStrings(value) : undefined;
    return strings !== undefined && this.#add(namedRule(name, strings));
  }

  /** An object around the matches, or around the object around them. */
  #readWrapper(value: { [key: string]: Json }): boolean {
    const before = this.found.length;
    const said = new ScanStatements();
    const read = Object.entries(value).map(([key, part]) => this.#readMember(plainName(key), part, said));
    this.failure ??= said.failure();
    return membersOf(value).size === read.length && read.every(Boolean) && said.agreesWith(this.found.length - before);
  }

  #readMember(name: string, value: Json, said: ScanStatements): boolean {
    const kind = nameKinds.get(name);
    switch (kind) {
      case 'matches':
        return this.#readMatches(value, said);
      case 'list':
        return this.#readList(name, value, said);
      case 'package':
        return this.#readPackage(value);
      case 'version':
        return this.#note(readText(value), (version) => (this.version ??= version));
      case 'rules':
        return this.#note(readCount(value), (rules) => this.#noteRules(rules));
      case 'left-out':
        return this.#readLeftOut(value);
      case undefined:
        return value === null || value === '' || (factNames.has(name) && typeof value !== 'object');
      default:
        return said.take(kind, value);
    }
  }

  /** The matches; or whether there are any, how many, or nothing, which is none of them. */
  #readMatches(value: Json, said: ScanStatements): boolean {
    if (typeof value === 'number' || typeof value === 'boolean') return said.take('any', value);
    return this.#readFound(value === '' ? null : value, 'matches', said);
  }

  /**
   * An empty value means nothing. What is no list is not understood, nor are no files: a scan that failed, waits or was
   * not made may send these.
   */
  #readList(name: string, value: Json, said: ScanStatements): boolean {
    if (value === null || value === '') return true;
    if (name === 'rules' && typeof value === 'number') return this.#readMember('rulecount', value, said);
    if (typeof value !== 'object' || (name === 'files' && listOf(value)?.length === 0)) return false;
    return this.#readFound(value, 'member', said);
  }

  #readFound(value: Json, place: Place, said: ScanStatements): boolean {
    const before = this.found.length;
    this.read(value, place);
    said.list(this.found.length - before);
    return true;
  }

  /** Rules by their names. */
  #readLeftOut(value: Json): boolean {
    const names = value === null || value === '' ? [] : listOf(value);
    if (names === null || !names.every((name) => typeof name === 'string' && isRuleName(name))) return false;
    this.leavesOut ||= names.length > 0;
    return true;
  }

  /** The service's own description of its package comes before what else has a version. */
  #readPackage(value: Json): boolean {
    const said = readScanPackage(value);
    this.version = said?.version ?? this.version;
    if (typeof said?.rules === 'number') this.#noteRules(said.rules);
    return said !== undefined;
  }

  #noteRules(rules: number): void {
    this.rules = rules;
    this.hasNoRules ||= rules === 0;
  }

  #note<T>(read: T | null | undefined, note: (said: T) => void): boolean {
    if (read !== null && read !== undefined) note(read);
    return read !== undefined;
  }
}

const wrapperKinds = new Set(['matches', 'list', 'error', 'valid', 'any']);

const isWrapper = (value: { [key: string]: Json }): boolean =>
  Object.keys(value).some((key) => wrapperKinds.has(nameKinds.get(plainName(key)) ?? ''));

function hasRuleName(value: Json): boolean {
  const name = firstMember(membersOf(value), ['name', 'identifier']);
  return typeof name === 'string' && isRuleName(name);
}

/** A name without matches may be that of a file as well as that of a rule. */
function hasEmptyList(value: Json): boolean {
  const members = membersOf(value);
  return ['matches', 'results'].some(
    (name) => members.get(name) === null || listOf(members.get(name) ?? true)?.length === 0,
  );
}
