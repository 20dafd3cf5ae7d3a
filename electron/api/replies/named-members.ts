import type { Json } from '../../../shared/domain/sample.ts';

/** Members of one object by their plain names, the first of those that are alike. */
export type Members = ReadonlyMap<string, Json>;

/** A member's name without what services differ in: letter case, `_` and `-`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '').replaceAll('-', '');

export const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** None for anything but an object. */
export function membersOf(value: Json): Members {
  return new Map(
    isObject(value)
      ? Object.entries(value)
          .toReversed()
          .map(([name, member]) => [plainName(name), member])
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

/** The first of these that says anything; null when none does. */
export function firstMember(members: Members, names: readonly string[]): Json {
  for (const name of names) {
    const value = members.get(name) ?? null;
    if (value !== null) return value;
  }
  return null;
}
