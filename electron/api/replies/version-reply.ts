import type { ReplyMapping } from '../../../shared/domain/publication.ts';
import type { Json } from '../../../shared/domain/sample.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import { readJsonReply, readServiceError, refusalOf } from './json-reply.ts';
import { boundJson, type Members, membersOf, plainName, readFlag } from './json-values.ts';

/** The reply as it came, bounded and without secrets. Throws `request-refused`, or a failure of `readJsonReply`. */
export function readVersionBytes(reply: WholeReply, facts: CallFacts): Json {
  const json = readJsonReply(reply, facts);
  const error = readServiceError(json);
  if (error && (error.message ?? error.code) !== null) fail(refusalOf(error, reply.status, facts));
  return boundJson(json, facts.redaction.data);
}

/** The facts in a reply to `checkpackageversion`; null for each that it lacks. */
interface VersionReply {
  /** Whether there is a newer version than the one in question. */
  outdated: boolean | null;
  version: string | null;
  id: string | null;
}

const longest = 200;
const containerNames = ['publication', 'package', 'data', 'result'];
/** How deep such members are searched inside one another. */
const depth = 2;
const outdatedNames = ['outdated', 'isoutdated', 'updateavailable', 'needsupdate'];
/** The same said the other way round. */
const newestNames = ['uptodate', 'isuptodate', 'latest', 'islatest'];
const lastVersionNames = ['lastversion', 'latestversion', 'latest'];
const idNames = ['id', 'publicationid', 'publication', 'lastid'];

/**
 * Finds the three facts by the names that services give them (docs/services.md, "checkpackageversion"), or at the place
 * in the mapping: a mapped field is read there and nowhere else. Pure and total. A version and an id are at most 200
 * printable characters, as texts.
 */
export function readVersionReply(reply: Json, mapping: ReplyMapping | null): VersionReply {
  const levels = levelsOf(reply);
  const pointers = mapping ?? { outdated: null, version: null, id: null };
  return {
    outdated: pointers.outdated === null ? outdatedIn(levels) : mappedOutdated(reply, pointers.outdated),
    version: pointers.version === null ? versionIn(levels) : textAt(reply, pointers.version),
    id: pointers.id === null ? firstText(levels, idNames, readWord) : textAt(reply, pointers.id),
  };
}

/** The reply's own members, then those of what it wraps them in, from the outside inwards. */
function levelsOf(reply: Json): Members[] {
  const levels = [[membersOf(reply)]];
  for (let inwards = 0; inwards < depth; inwards += 1) {
    const outer = levels.at(-1) ?? [];
    levels.push(outer.flatMap((members) => containerNames.map((name) => membersOf(members.get(name) ?? null))));
  }
  return levels.flat().filter(({ size }) => size > 0);
}

/** The outermost level with a value decides; one that contradicts itself has none that could be relied on. */
function outdatedIn(levels: readonly Members[]): boolean | null {
  for (const members of levels) {
    const said = new Set([
      ...flagsIn(members, outdatedNames),
      ...flagsIn(members, newestNames).map((isNewest) => !isNewest),
    ]);
    if (said.size > 0) return said.size === 1 ? said.has(true) : null;
  }
  return null;
}

function flagsIn(members: Members, names: readonly string[]): boolean[] {
  return names.map((name) => flagOf(name, members.get(name) ?? null)).filter((flag) => flag !== null);
}

/** `latest` is as often a version: there, a number is one. */
function flagOf(name: string, value: Json): boolean | null {
  if (name === 'latest' && !isWordOfTruth(value)) return null;
  return readFlag(value) ?? null;
}

const isWordOfTruth = (value: Json): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^\s*(?:true|false|yes|no)\s*$/i.test(value));

/**
 * A bare `version` on the outside may be the requested one, repeated: the innermost is the publication's
 * own.
 */
function versionIn(levels: readonly Members[]): string | null {
  return firstText(levels, lastVersionNames, readLastVersion) ?? firstText(levels.toReversed(), ['version'], readWord);
}

const readLastVersion = (value: Json, name: string): string | null =>
  name === 'latest' && isWordOfTruth(value) ? null : readWord(value);

function firstText(
  levels: readonly Members[],
  names: readonly string[],
  read: (value: Json, name: string) => string | null,
): string | null {
  for (const members of levels) {
    for (const name of names) {
      const text = read(members.get(name) ?? null, name);
      if (text !== null) return text;
    }
  }
  return null;
}

/** Text that can be shown and sent back, or a number that JSON did not change; null for all else. */
function readWord(value: Json): string | null {
  if (typeof value === 'number')
    return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value)) ? String(value) : null;
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= longest && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? text : null;
}

const textAt = (reply: Json, pointer: string): string | null => readWord(valueAt(reply, pointer) ?? null);

/** A member that is known to say it the other way round still does. */
function mappedOutdated(reply: Json, pointer: string): boolean | null {
  const flag = readFlag(valueAt(reply, pointer) ?? null) ?? null;
  const isInverted = newestNames.includes(plainName(pointerNames(pointer)?.at(-1) ?? ''));
  return flag !== null && isInverted ? !flag : flag;
}

/** The names a pointer goes through (RFC 6901, 3); null for a text that is no pointer. */
function pointerNames(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value a pointer leads to (RFC 6901, 4); undefined when there is none. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  return pointerNames(pointer)?.reduce<Json | undefined>(member, document);
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
