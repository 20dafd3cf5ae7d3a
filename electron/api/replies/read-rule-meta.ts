import type { Json } from '../../../shared/domain/sample.ts';
import { allOf, firstMember, isObject, listOf, membersOf } from './named-members.ts';

export type FoundMeta = readonly [key: string, value: string];

const keyNames = ['key', 'name', 'identifier', 'id'];

/**
 * The meta of a rule: a map, or a list of pairs, of objects with a key and a value, of small maps, or of texts
 * `key=value`. undefined when it is none.
 */
export function readMeta(value: Json): FoundMeta[] | undefined {
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
