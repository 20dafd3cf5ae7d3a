import type { Json } from '../../../shared/domain/sample.ts';
import { withFewMarks } from '../../../shared/domain/visible-text.ts';

/**
 * Readers of one value each. They give the value in its right type, null when the service said "nothing", and undefined
 * when they do not understand it, so that it can be kept as it came.
 */
export type ValueReader<T> = (value: Json) => T | null | undefined;

export const readText: ValueReader<string> = (value) => {
  if (value === null || value === '') return null;
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
};

export const readCount: ValueReader<number> = (value) => {
  if (value === null || value === '') return null;
  const number = typeof value === 'string' && /^\s*\d{1,16}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

export const readFlag: ValueReader<boolean> = (value) => {
  if (value === null || value === '') return null;
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  if (['1', 'true', 'yes'].includes(word)) return true;
  return ['0', 'false', 'no'].includes(word) ? false : undefined;
};

/** A hash of exactly that many hex digits, lower case. */
export function readHash(length: number): ValueReader<string> {
  return (value) => {
    if (value === null || value === '') return null;
    if (typeof value !== 'string') return undefined;
    const hash = value.trim().toLowerCase();
    return hash.length === length && /^[0-9a-f]+$/.test(hash) ? hash : undefined;
  };
}

/**
 * The member of a sample that is its MD5. The oldest releases call it `name`, beside a `filename`; elsewhere `name` is
 * that of the file, which anybody may have chosen.
 */
export const namesMd5In = (members: Pick<ReadonlyMap<string, Json>, 'has'>): 'md5' | 'name' =>
  !members.has('md5') && members.has('filename') ? 'name' : 'md5';

/** A reader of codes, which services send as numbers or as texts. */
export function readCode<T>(codes: ReadonlyMap<string, T>): ValueReader<T> {
  return (value) => {
    if (value === null || value === '') return null;
    return typeof value === 'string' || typeof value === 'number'
      ? codes.get(String(value).trim().toLowerCase())
      : undefined;
  };
}

/** Tags as one comma-joined text or as a list. Each once, in the order of its first appearance. */
export const readTags: ValueReader<string[]> = (value) => {
  if (value === null) return null;
  const texts = typeof value === 'string' ? [value] : listOfTexts(value);
  if (texts === undefined) return undefined;
  return [
    ...new Set(
      texts
        .flatMap((text) => text.split(','))
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
};

function listOfTexts(value: Json): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return allOf(value.map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item) : undefined)));
}

/** Members of one object by their plain names, the first of those that are alike. */
export type Members = ReadonlyMap<string, Json>;

/** A member's name without what services differ in: letter case, `_` and `-`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '').replaceAll('-', '');

export const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** None for anything but an object. `nameOf` decides which names are alike. */
export function membersOf(value: Json, nameOf: (name: string) => string = plainName): Members {
  return new Map(
    isObject(value)
      ? Object.entries(value)
          .toReversed()
          .map(([name, member]) => [nameOf(name), member])
      : [],
  );
}

/**
 * A list; also an object of numbered members, which is how PHP writes a list with gaps, or with nothing in it. null for
 * all else.
 */
export function listOf(value: Json): Json[] | null {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  return entries.every(([name]) => /^\d{1,9}$/.test(name)) ? entries.map(([, item]) => item) : null;
}

/** What was read of each, or undefined when one of them was not understood. */
export function allOf<T>(read: readonly (T | undefined)[]): T[] | undefined {
  const understood = read.filter((item) => item !== undefined);
  return understood.length === read.length ? understood : undefined;
}

/** The first of these that has a value; null when none has. */
export function firstMember(members: Members, names: readonly string[]): Json {
  for (const name of names) {
    const value = members.get(name) ?? null;
    if (value !== null) return value;
  }
  return null;
}

/** What hides secrets in a text. */
export type Rewrite = (text: string) => string;

/**
 * Characters after a cut that are searched too: what is to be rewritten may lie across it, and half of a secret would
 * not be found.
 */
const beyondTheCut = 100 * 1024;

/**
 * The first characters of a text after it was rewritten, with few marks on one character, and no half of a pair of
 * surrogates.
 */
export const boundedText = (raw: string, limit: number, rewrite: Rewrite): string =>
  withFewMarks(rewrite(raw.slice(0, limit + beyondTheCut)).slice(0, limit)).toWellFormed();

/** How much of a service's JSON is kept. What goes beyond is replaced by a text that states this. */
export const jsonBounds = {
  depth: 24,
  values: 20_000,
  textCharacters: 256 * 1024,
  allTextCharacters: 1024 * 1024,
  keyCharacters: 200,
} as const;

/** Of a sample's comments alone: as many as are kept at once (`windowBounds`), with their members. */
export const commentBounds = { ...jsonBounds, values: 200_000, allTextCharacters: 4 * 1024 * 1024 } as const;

type JsonBounds = { readonly [name in keyof typeof jsonBounds]: number };

const tooDeep = '[skipped: nested too deeply]';
const tooMany = '[skipped: too large]';

/**
 * A copy of parsed JSON that is safe to keep, send and draw: bounded in depth, number of values and text, numbers
 * finite, few marks on one character. A member named `__proto__` appears as `(__proto__)`, because most code that
 * copies objects would drop it or be fooled by it.
 */
export function boundJson(
  value: Json,
  rewrite: (text: string) => string = (text) => text,
  bounds: JsonBounds = jsonBounds,
): Json {
  const budget = { values: bounds.values, characters: bounds.allTextCharacters };
  const text = (raw: string, limit: number): string => {
    const limitLeft = Math.min(limit, Math.max(0, budget.characters));
    const taken = withFewMarks(rewrite(raw.slice(0, limitLeft + beyondTheCut)).slice(0, limitLeft));
    budget.characters -= taken.length;
    return taken.length < raw.length && raw.length > limit ? `${taken}…` : taken;
  };
  const copy = (part: Json, depth: number): Json => {
    budget.values -= 1;
    if (budget.values < 0 || budget.characters <= 0) return tooMany;
    if (typeof part === 'string') return text(part, bounds.textCharacters);
    if (typeof part === 'number') return Number.isFinite(part) ? part : String(part);
    if (part === null || typeof part === 'boolean') return part;
    if (depth >= bounds.depth) return tooDeep;
    if (Array.isArray(part)) return within(part, budget).map((item) => copy(item, depth + 1));
    const members = within(Object.entries(part), budget);
    return Object.fromEntries(
      members.map(([name, item]) => [safeName(text(name, bounds.keyCharacters)), copy(item, depth + 1)]),
    );
  };
  return copy(value, 0);
}

/** One more than the budget, so that the last one shows that something was left out. */
function within<T>(items: T[], budget: { values: number }): T[] {
  return items.length > budget.values ? items.slice(0, Math.max(0, budget.values) + 1) : items;
}

function safeName(name: string): string {
  return name === '__proto__' ? '(__proto__)' : name;
}
