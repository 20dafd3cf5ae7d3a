import { type MatchedString, mostMatchesShown } from '../../../shared/domain/scan.ts';
import { boundedText, type Rewrite } from './bounded-text.ts';
import { dataDigits, type MatchData, openForm } from './match-data.ts';
import type { FoundMatch } from './read-matched-strings.ts';
import type { FoundRule } from './read-rule-match.ts';
import type { ServiceHit } from './read-scan-reply.ts';

/** How much of one reply is kept. */
export const hitBounds = {
  rules: 2000,
  matchesAString: mostMatchesShown,
  matches: 5000,
  strings: 5000,
  tags: 50,
  meta: 50,
  metaCharacters: 500,
  nameCharacters: 200,
  ruleCharacters: 1000,
  /** Of tags and meta. */
  allTextCharacters: 1024 * 1024,
} as const;

/**
 * The hits of a reply by name, each rule once, their strings by id and the matches of these by offset: as many as there
 * is room for. What is left out of strings and matches is counted all the same.
 */
export function boundedHits(found: readonly FoundRule[], rewrite: Rewrite): { hits: ServiceHit[]; isCut: boolean } {
  const room = new Room(rewrite, openForm(dataOf(found)));
  const rules = [...Map.groupBy(found, ({ rule }) => rule)].toSorted(byName);
  const hits = renamed(rules.slice(0, hitBounds.rules), (rule) => room.name(rule, hitBounds.ruleCharacters)).map(
    ([rule, parts]) => hitOf(rule, parts, room),
  );
  return { hits, isCut: room.isCut || rules.length > hitBounds.rules };
}

function hitOf(rule: string, parts: readonly FoundRule[], room: Room): ServiceHit {
  const namespace = parts.find((part) => part.namespace !== null)?.namespace ?? null;
  const tags = new Set(parts.flatMap((part) => part.tags.slice(0, hitBounds.tags)));
  const meta = new Map(
    parts
      .flatMap(({ meta: entries }) => entries.slice(0, hitBounds.meta))
      .map(([key, value]) => [JSON.stringify([key, value]), { key, value }]),
  );
  return {
    rule,
    namespace: namespace === null ? null : room.name(namespace),
    tags: room.text([...tags].slice(0, hitBounds.tags), (tag) => room.name(tag)),
    meta: room.text([...meta.values()].slice(0, hitBounds.meta), ({ key, value }) => ({
      key: room.name(key),
      value: room.name(value, hitBounds.metaCharacters),
    })),
    strings: stringsOf(parts, room),
  };
}

function stringsOf(parts: readonly FoundRule[], room: Room): MatchedString[] {
  const strings = [
    ...Map.groupBy(
      parts.flatMap((part) => part.strings),
      ({ id }) => id,
    ),
  ].toSorted(byName);
  return renamed(room.strings(strings), (id) => room.name(id)).map(([id, pieces]) => {
    const matches = pieces.flatMap((piece) => piece.matches).toSorted((one, other) => one.offset - other.offset);
    const said = pieces.reduce((sum, { total }) => sum + (total ?? 0), 0);
    const total = Math.min(Number.MAX_SAFE_INTEGER, Math.max(matches.length, said, 1));
    // It tells some of the places, and how many there are.
    if (matches.length > 0 && said > matches.length) room.isCut = true;
    return { id, matches: room.matches(matches), total, isAtLeast: matches.length === 0 && said === 0 };
  });
}

/** What is left of the bounds while hits are made. */
class Room {
  readonly #rewrite: Rewrite;
  readonly #openForm: 'hex' | 'text';
  #strings: number = hitBounds.strings;
  #matches: number = hitBounds.matches;
  #characters: number = hitBounds.allTextCharacters;
  isCut = false;

  constructor(rewrite: Rewrite, form: 'hex' | 'text') {
    this.#rewrite = rewrite;
    this.#openForm = form;
  }

  name(raw: string, limit: number = hitBounds.nameCharacters): string {
    return boundedText(raw, limit, this.#rewrite);
  }

  /** What is said of a rule, for as long as there is room for it. */
  text<T, U>(parts: readonly T[], make: (part: T) => U): U[] {
    return parts
      .filter(() => this.#characters > 0)
      .map((part) => {
        const made = make(part);
        this.#characters -= JSON.stringify(made).length;
        return made;
      });
  }

  strings<T>(strings: readonly T[]): readonly T[] {
    const taken = strings.slice(0, this.#strings);
    this.#strings -= taken.length;
    this.isCut ||= taken.length < strings.length;
    return taken;
  }

  matches(matches: readonly FoundMatch[]): MatchedString['matches'] {
    const taken = matches.slice(0, Math.min(this.#matches, hitBounds.matchesAString));
    this.#matches -= taken.length;
    this.isCut ||= taken.length < matches.length;
    return taken.map(({ offset, length, data }) => ({
      offset,
      length,
      data: data === null ? null : dataDigits(data, this.#openForm, this.#rewrite),
    }));
  }
}

function* dataOf(found: readonly FoundRule[]): Generator<MatchData> {
  for (const { strings } of found)
    for (const { matches } of strings) for (const { data } of matches) if (data) yield data;
}

/** Under the names that are shown: those of several may be the same by then. */
function renamed<T>(
  groups: readonly (readonly [string, readonly T[]])[],
  rename: (name: string) => string,
): [string, T[]][] {
  const shown = Map.groupBy(groups, ([name]) => rename(name));
  return [...shown].map(([name, alike]): [string, T[]] => [name, alike.flatMap(([, items]) => items)]).toSorted(byName);
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : Number(one > other);
