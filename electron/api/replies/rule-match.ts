import type { Json } from '../../../shared/domain/sample.ts';
import { allOf, firstMember, isObject, listOf, membersOf, plainName, readFlag, readTags } from './json-values.ts';
import { type FoundString, isStringId, readMatchedStrings } from './matched-strings.ts';

type FoundMeta = readonly [key: string, value: string];

const keyNames = ['key', 'name', 'identifier', 'id'];

/**
 * The meta of a rule: a map, or a list of pairs, of objects with a key and a value, of small maps, or of texts
 * `key=value`. undefined when it is none.
 */
function readMeta(value: Json): FoundMeta[] | undefined {
  if (value === null || value === '') return [];
  const list = listOf(value);
  if (list) return allOf(list.map(readEntry))?.flat();
  return readMap(value);
}

function readMap(value: Json): FoundMeta[] | undefined {
  return isObject(value) ? allOf(Object.entries(value).map(([key, part]) => readValues(key, part)))?.flat() : undefined;
}

function readEntry(value: Json): FoundMeta[] | undefined {
  if (typeof value === 'string') return readAssignment(value);
  if (Array.isArray(value))
    return value.length === 2 && typeof value[0] === 'string' ? readValues(value[0], value[1] ?? null) : undefined;
  const members = membersOf(value);
  const key = firstMember(members, keyNames);
  return typeof key === 'string' && members.has('value')
    ? readValues(key, members.get('value') ?? null)
    : readMap(value);
}

function readAssignment(text: string): FoundMeta[] | undefined {
  const equals = text.indexOf('=');
  return equals > 0 ? [[text.slice(0, equals).trim(), text.slice(equals + 1).trim()]] : undefined;
}

/** A key may come with several values. */
function readValues(key: string, value: Json): FoundMeta[] | undefined {
  if (!isObject(value) && !Array.isArray(value)) return [[key, value === null ? '' : String(value)]];
  return allOf(
    (listOf(value) ?? [value]).map((part): FoundMeta | undefined =>
      isObject(part) || Array.isArray(part) ? undefined : [key, part === null ? '' : String(part)],
    ),
  );
}

/** A rule that matched, or a part of what is said of it: the same rule may come several times. */
export interface FoundRule {
  rule: string;
  namespace: string | null;
  tags: readonly string[];
  meta: readonly (readonly [key: string, value: string])[];
  strings: readonly FoundString[];
}

const longestName = 1000;
/** Names of a rule that mean nothing else. */
const ruleNames = ['rule', 'rulename', 'ruleidentifier'];
/** These may name something else too. */
const otherNames = ['name', 'identifier'];
const namespaceNames = ['namespace', 'ns', 'rulenamespace'];
const tagsNames = ['tags', 'ruletags'];
const metaNames = ['meta', 'metas', 'metadata', 'rulemeta'];
const stringsNames = ['strings', 'matchedstrings', 'stringmatches', 'patterns', 'matches'];
/** Whether the rule matched, where all rules are listed; `matches` may be that too. */
const flagNames = ['matched', 'match', 'ismatch', 'hasmatch', 'hasmatches', 'hit', 'matches'];
/** Of a match that is itself the place of a string. */
const placeNames = ['offset', 'length', 'data', 'hex', 'text', 'string', 'stringid', 'stringidentifier'];
/** What else is said of a rule: it goes with the meta. */
const factNames = new Set([
  'author',
  'description',
  'desc',
  'reference',
  'references',
  'date',
  'created',
  'modified',
  'score',
  'severity',
  'category',
  'family',
  'malware',
  'malwarefamily',
  'threat',
  'confidence',
  'weight',
  'level',
  'comment',
  'version',
  'id',
  'ruleid',
  'file',
  'filename',
  'rulefile',
  'source',
  'path',
  'line',
  'type',
  'tlp',
  'private',
  'isprivate',
  'global',
  'isglobal',
  'count',
  'matchcount',
  'total',
]);

/** Whether an object names a rule in a way that leaves no doubt. */
export const namesRule = (value: Json): boolean =>
  isObject(value) && Object.keys(value).some((key) => ruleNames.includes(plainName(key)));

/** An identifier of YARA, behind a namespace or not: anything else in the place of a rule's name is no rule. */
export const isRuleName = (text: string): boolean =>
  text.length <= longestName && /^(?:[\w.-]+[:/])?[A-Za-z_]\w*$/.test(text);

/** A rule of which nothing is known but its name. `space:rule` is the rule of a namespace. */
export function namedRule(name: string, strings: readonly FoundString[] = []): FoundRule {
  const [, namespace = null, rule = name] = /^([\w.-]+)[:/]([A-Za-z_]\w*)$/.exec(name) ?? [];
  return { rule, namespace, tags: [], meta: [], strings };
}

/**
 * null: a rule that is listed and did not match. undefined: something of it is not understood. `knownName`: a name from
 * elsewhere.
 */
export function readRuleMatch(value: Json, knownName?: string): FoundRule | null | undefined {
  if (!isObject(value) || membersOf(value).size !== Object.keys(value).length) return undefined;
  const name = knownName ?? nameIn(value);
  if (isObject(name))
    return readRuleMatch({ ...Object.fromEntries(Object.entries(value).filter(([, part]) => part !== name)), ...name });
  if (typeof name !== 'string' || name.trim() === '' || name.length > longestName) return undefined;
  const parts = new RuleParts(name);
  return Object.entries(value).every(([key, part]) => parts.take(key, part)) ? parts.whole() : undefined;
}

function nameIn(value: Json): Json {
  const members = membersOf(value);
  return firstMember(members, [...ruleNames, ...otherNames.filter((name) => isOwnName(members.get(name) ?? null))]);
}

/** Not that of a string. */
const isOwnName = (name: Json): boolean => typeof name === 'string' && !isStringId(name);

/** The members of a match, one by one. */
class RuleParts {
  readonly #name: string;
  readonly #rule: FoundRule;
  readonly #place: { [name: string]: Json } = {};
  #namespace: string | null = null;
  #tags: readonly string[] = [];
  #meta: FoundRule['meta'] = [];
  #strings: readonly FoundString[] = [];
  #matched: boolean | null = null;

  constructor(name: string) {
    this.#name = name;
    this.#rule = namedRule(name.trim());
  }

  /** Whether it was understood. */
  take(key: string, value: Json): boolean {
    const name = plainName(key);
    if (value === null || value === '') return true;
    if ((ruleNames.includes(name) || otherNames.includes(name)) && value === this.#name) return true;
    if (namespaceNames.includes(name)) return this.#takeNamespace(value);
    if (tagsNames.includes(name))
      return this.#add(readTags(listOf(value) ?? value), (tags) => (this.#tags = [...this.#tags, ...tags]));
    if (metaNames.includes(name)) return this.#add(readMeta(value), (meta) => (this.#meta = [...this.#meta, ...meta]));
    if (flagNames.includes(name) && isFlag(value)) return this.#takeFlag(value);
    if (stringsNames.includes(name))
      return this.#add(readMatchedStrings(value), (strings) => (this.#strings = [...this.#strings, ...strings]));
    if (placeNames.includes(name) || (typeof value === 'string' && isStringId(value)))
      return this.#takePlace(name, value);
    if (factNames.has(name) || ruleNames.includes(name) || otherNames.includes(name))
      return this.#add(readMeta({ [key]: value }), (meta) => (this.#meta = [...this.#meta, ...meta]));
    return isObject(value) || Array.isArray(value) ? listOf(value)?.length === 0 : false;
  }

  /** null: it did not match. undefined: it states both. */
  whole(): FoundRule | null | undefined {
    const place = Object.keys(this.#place).length === 0 ? [] : readMatchedStrings(this.#place);
    if (place === undefined) return undefined;
    const strings = [...this.#strings, ...place];
    if (this.#matched === false) return strings.length === 0 ? null : undefined;
    return {
      ...this.#rule,
      namespace: this.#namespace ?? this.#rule.namespace,
      tags: this.#tags,
      meta: this.#meta,
      strings,
    };
  }

  #add<T>(read: T | null | undefined, add: (part: T) => void): boolean {
    if (read !== undefined && read !== null) add(read);
    return read !== undefined;
  }

  #takeNamespace(value: Json): boolean {
    this.#namespace = typeof value === 'string' ? value : null;
    return typeof value === 'string';
  }

  #takeFlag(value: Json): boolean {
    const matched = typeof value === 'number' ? value > 0 : readFlag(value) === true;
    const isSame = this.#matched === null || this.#matched === matched;
    this.#matched = matched;
    return isSame;
  }

  #takePlace(name: string, value: Json): boolean {
    const isTaken = Object.hasOwn(this.#place, name);
    this.#place[name] = value;
    return !isTaken;
  }
}

/** No matches in numbers may be a rule without strings as well as one that did not match. */
const isFlag = (value: Json): boolean =>
  typeof value === 'number' ? value > 0 : !Array.isArray(value) && !isObject(value) && readFlag(value) !== undefined;
