import { Buffer } from 'node:buffer';
import type { Json } from '../../../shared/domain/sample.ts';
import { mostMatchData } from '../../../shared/domain/scan.ts';
import {
  allOf,
  boundedText,
  firstMember,
  isObject,
  listOf,
  type Members,
  membersOf,
  type Rewrite,
} from './json-values.ts';

/** A place where a string matched. */
export interface FoundMatch {
  offset: number;
  length: number | null;
  data: MatchData | null;
}
/** A string of a rule that matched, or some of its places: it may come in several of these. */
export interface FoundString {
  id: string;
  matches: readonly FoundMatch[];
  /** How often it matched, where the service itself reports it. */
  total: number | null;
}

const idNames = ['id', 'identifier', 'stringid', 'stringidentifier', 'stringname', 'name', 'pattern', 'variable'];
const offsetNames = ['offset', 'position', 'pos', 'start', 'address'];
const lengthNames = ['length', 'len', 'size', 'matchlength', 'matchedlength', 'datalength'];
const dataNames = ['data', 'matcheddata', 'matchdata', 'value', 'content', 'bytes'];
const hexNames = ['hex', 'hexdata'];
const textNames = ['text', 'plaintext'];
const placesNames = ['instances', 'matches', 'offsets', 'occurrences', 'locations', 'positions'];
const totalNames = ['count', 'total', 'matchcount', 'nummatches'];
/** Say nothing that is shown here. */
const ignoredNames = [
  'xorkey',
  'namespace',
  'isprivate',
  'private',
  'type',
  'modifiers',
  'flags',
  'encoding',
  'base',
  'end',
];
/** Any of these makes an object the description of a string; else its members are strings by their names. */
const signs = new Set([...idNames, ...offsetNames, ...placesNames, 'string']);
const ofAnyForm = new Set([...placesNames, ...ignoredNames]);
const known = new Set([
  ...signs,
  ...lengthNames,
  ...dataNames,
  ...hexNames,
  ...textNames,
  ...totalNames,
  ...ignoredNames,
]);

export const isStringId = (text: string): boolean => /^\$\w*$/.test(text);

/**
 * The strings of a rule that matched, in any of the forms there are (docs/services.md, "scanfile"): triples `[offset,
 * id, data]`, objects, ids alone, or a map from an id to places. undefined when something in it is not understood.
 */
export function readMatchedStrings(value: Json): FoundString[] | undefined {
  if (value === null || value === '') return [];
  const list = listOf(value);
  if (list) return allOf(list.map(readString))?.flat();
  if (!isObject(value) || [...membersOf(value).keys()].some((name) => signs.has(name))) return readString(value);
  return allOf(Object.entries(value).map(([id, places]) => readPlaces(id, places)))?.flat();
}

/** One that names its string itself. */
function readString(value: Json): FoundString[] | undefined {
  if (typeof value === 'string') return isStringId(value) ? [withoutPlace(value)] : undefined;
  if (!Array.isArray(value)) return readDescribed(value, null);
  const [first = null, second = null, data = null] = value;
  if (value.length < 2 || value.length > 3) return undefined;
  const offset = readWholeNumber(first);
  if (offset !== undefined && typeof second === 'string') return placed(second, offset, null, readData(data, null));
  if (typeof first !== 'string') return undefined;
  const isPair = value.length === 2 && typeof second === 'object';
  return isPair ? readPlaces(first, second) : placed(first, readWholeNumber(second), null, readData(data, null));
}

/** Where one string matched. One that matched nowhere is not among those that did. */
function readPlaces(id: string, value: Json): FoundString[] | undefined {
  if (value === null || value === true) return [withoutPlace(id)];
  if (value === false) return [];
  const list = listOf(value);
  if (list) return allOf(list.map((place) => readPlace(id, place)))?.flat();
  return isObject(value) ? readDescribed(value, id) : undefined;
}

function readPlace(id: string, value: Json): FoundString[] | undefined {
  if (isObject(value)) return readDescribed(value, id);
  if (!Array.isArray(value)) return placed(id, readWholeNumber(value), null, null);
  const [offset = null, second = null, third = null] = value;
  if (value.length < 1 || value.length > 3) return undefined;
  if (value.length === 3 && second === id) return placed(id, readWholeNumber(offset), null, readData(third, null));
  if (typeof second === 'number')
    return placed(id, readWholeNumber(offset), readWholeNumber(second), readData(third, second));
  return value.length === 3 ? undefined : placed(id, readWholeNumber(offset), null, readData(second, null));
}

function readDescribed(value: Json, knownId: string | null): FoundString[] | undefined {
  const members = membersOf(value);
  if (!isObject(value) || members.size !== Object.keys(value).length || ![...members].every(isKnown)) return undefined;
  const id = idIn(members) ?? knownId ?? '';
  const total = firstCount(members, totalNames);
  const length = firstCount(members, lengthNames);
  if (total === undefined || length === undefined) return undefined;
  const offset = firstMember(members, offsetNames);
  const found =
    offset === null
      ? readPlaces(id, placesIn(members, total !== 0))
      : placed(id, readWholeNumber(offset), length, dataIn(members, length));
  return found && total !== null && total > 0 ? [...found, { id, matches: [], total }] : found;
}

const isKnown = ([name, value]: readonly [string, Json]): boolean =>
  known.has(name) && (ofAnyForm.has(name) || typeof value !== 'object' || value === null);

/** `string` is an id where it looks like one, and what matched where it does not. */
function idIn(members: Members): string | null {
  const id = firstMember(members, idNames);
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  const string = members.get('string') ?? null;
  return typeof string === 'string' && isStringId(string) ? string : null;
}

function placesIn(members: Members, isAnywhere: boolean): Json {
  return placesNames.some((name) => members.has(name)) ? (firstMember(members, placesNames) ?? []) : isAnywhere;
}

function dataIn(members: Members, length: number | null): MatchData | null | undefined {
  const hex = firstMember(members, hexNames);
  if (hex !== null) return readData(hex, length, 'hex');
  const text = firstMember(members, textNames);
  const data = firstMember(members, dataNames);
  if (data === null && text !== null) return readData(text, length, 'text');
  const string = members.get('string') ?? null;
  return readData(data ?? (typeof string === 'string' && !isStringId(string) ? string : null), length);
}

/** A number was digits once, and it is unknown which. */
function readData(value: Json, length: number | null, named?: MatchData['form']): MatchData | null | undefined {
  if (value === null || typeof value === 'number') return null;
  return typeof value === 'string' ? matchData(value, length, named) : undefined;
}

const withoutPlace = (id: string): FoundString => ({ id, matches: [], total: null });

function placed(
  id: string,
  offset: number | undefined,
  length: number | null | undefined,
  data: MatchData | null | undefined,
): FoundString[] | undefined {
  return offset === undefined || length === undefined || data === undefined
    ? undefined
    : [{ id, matches: [{ offset, length, data }], total: null }];
}

function firstCount(members: Members, names: readonly string[]): number | null | undefined {
  const value = firstMember(members, names);
  return value === null ? null : readWholeNumber(value);
}

/** As a number or as its digits, decimal or hexadecimal after `0x`. */
function readWholeNumber(value: Json): number | undefined {
  const number =
    typeof value === 'string' && /^\s*(?:\d{1,16}|0x[\da-f]{1,14})\s*$/i.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/**
 * What a string matched, as the service wrote it. `open`: it may be hexadecimal digits, and may be text that looks like
 * them.
 */
export interface MatchData {
  text: string;
  form: 'hex' | 'text' | 'open';
}

/** `length`: of the match in bytes, as far as the service reports it. `named`: what the name of the member means. */
function matchData(text: string, length: number | null, named: MatchData['form'] = 'open'): MatchData {
  if (named === 'text' || !isHex(text)) return { text, form: 'text' };
  if (named === 'hex' || (length !== null && text.length === 2 * length)) return { text, form: 'hex' };
  // Digits are bytes in ASCII: each of them is one.
  return { text, form: text.length === length ? 'text' : 'open' };
}

/**
 * How a service writes what is otherwise undecided: in one way throughout a reply. As hexadecimal digits, when nothing
 * in it is text, and something is surely hexadecimal, has a letter among its digits, or encodes printable characters:
 * else it is a number in a text.
 */
export function openForm(all: Iterable<MatchData>): 'hex' | 'text' {
  let hasSign = false;
  for (const { text, form } of all) {
    if (form === 'text' && text !== '') return 'text';
    hasSign ||= form === 'hex' || /[a-f]/i.test(text) || /^(?:[2-7]\d){2,}$/.test(text);
  }
  return hasSign ? 'hex' : 'text';
}

/** Its first bytes as lower-case hexadecimal digits; null for digits in which something had to be hidden. */
export function dataDigits({ text, form }: MatchData, open: 'hex' | 'text', rewrite: Rewrite): string | null {
  const characters = 2 * mostMatchData;
  const shown = boundedText(text, characters, rewrite);
  if ((form === 'open' ? open : form) === 'text') return Buffer.from(shown).subarray(0, mostMatchData).toString('hex');
  return isHex(shown) ? shown.toLowerCase() : null;
}

/** In one case: no service writes digits in both. */
const isHex = (text: string): boolean => text.length % 2 === 0 && /^(?:[\da-f]*|[\dA-F]*)$/.test(text);
