import { Buffer } from 'node:buffer';
import type { Json } from '../../../shared/domain/sample.ts';
import { type MatchedString, mostMatchesShown, type RuleHit } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import { jsonParts, membersIn, quotedReply, readWarnedJson, textOf } from './json-reply.ts';
import { boundedText, boundJson, type Rewrite } from './json-values.ts';
import { dataDigits, type FoundMatch, type MatchData, openForm } from './matched-strings.ts';
import type { FoundRule } from './rule-match.ts';
import { ScanReplyReader } from './scan-reply-reader.ts';

/** A rule that a service reports as found. Names and texts are untrusted. */
export type ServiceHit = Omit<RuleHit, 'place' | 'family'>;

/**
 * The meaning of a reply to `scanfile`. `matches`: the hits by name, none when there are no hits; `isCut` when some of
 * what there was is left out, by the service or here. `failed`: the service could not scan; its own words, or "".
 * `not-understood`: it may mean anything.
 */
export type ScanReading =
  | { kind: 'matches'; hits: ServiceHit[]; version: string | null; rules: number | null; isCut: boolean }
  | { kind: 'failed'; text: string }
  | { kind: 'not-understood' };

const longestVersion = 200;
const longestWords = 1000;
/** No form there is needs more; and reading goes as deep as the reply does. */
const deepest = 16;
const mostMembers = 20_000;

/**
 * Reads the reply in any of the forms there are (docs/services.md, "scanfile"). Pure and total. A single part that is
 * not understood makes the whole not understood: a hit in an unreadable part must not be taken for no hits. `rewrite`
 * hides secrets in every text that is given.
 */
export function readScanReply(reply: Json, rewrite: Rewrite = (text) => text): ScanReading {
  if (isBeyond(reply, deepest)) return { kind: 'not-understood' };
  const read = new ScanReplyReader();
  read.read(reply, 'whole');
  if (read.failure !== null) return { kind: 'failed', text: boundedText(read.failure, longestWords, rewrite) };
  // No hit from some of the rules, or from none at all, does not mean that there is no hit.
  if (!read.isUnderstood || ((read.leavesOut || read.hasNoRules) && read.found.length === 0))
    return { kind: 'not-understood' };
  const version = read.version === null ? null : boundedText(read.version, longestVersion, rewrite);
  const { hits, isCut } = boundedHits(read.found, rewrite);
  return { kind: 'matches', hits, isCut: isCut || read.leavesOut, version, rules: read.rules };
}

function isBeyond(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const parts = Object.values(value);
  return (
    depth === 0 ||
    (!Array.isArray(value) && parts.length > mostMembers) ||
    parts.some((part) => isBeyond(part, depth - 1))
  );
}

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
 * The hits of a reply by name, each rule once, their strings by id and the matches of these by offset: as many as the
 * bounds allow. What is left out of strings and matches is counted all the same.
 */
function boundedHits(found: readonly FoundRule[], rewrite: Rewrite): { hits: ServiceHit[]; isCut: boolean } {
  const budget = new HitBudget(rewrite, openForm(dataOf(found)));
  const rules = [...Map.groupBy(found, ({ rule }) => rule)].toSorted(byName);
  const hits = renamed(rules.slice(0, hitBounds.rules), (rule) => budget.name(rule, hitBounds.ruleCharacters)).map(
    ([rule, parts]) => hitOf(rule, parts, budget),
  );
  return { hits, isCut: budget.isCut || rules.length > hitBounds.rules };
}

function hitOf(rule: string, parts: readonly FoundRule[], budget: HitBudget): ServiceHit {
  const namespace = parts.find((part) => part.namespace !== null)?.namespace ?? null;
  const tags = new Set(parts.flatMap((part) => part.tags.slice(0, hitBounds.tags)));
  const meta = new Map(
    parts
      .flatMap(({ meta: entries }) => entries.slice(0, hitBounds.meta))
      .map(([key, value]) => [JSON.stringify([key, value]), { key, value }]),
  );
  return {
    rule,
    namespace: namespace === null ? null : budget.name(namespace),
    tags: budget.text([...tags].slice(0, hitBounds.tags), (tag) => budget.name(tag)),
    meta: budget.text([...meta.values()].slice(0, hitBounds.meta), ({ key, value }) => ({
      key: budget.name(key),
      value: budget.name(value, hitBounds.metaCharacters),
    })),
    strings: stringsOf(parts, budget),
  };
}

function stringsOf(parts: readonly FoundRule[], budget: HitBudget): MatchedString[] {
  const strings = [
    ...Map.groupBy(
      parts.flatMap((part) => part.strings),
      ({ id }) => id,
    ),
  ].toSorted(byName);
  return renamed(budget.strings(strings), (id) => budget.name(id)).map(([id, pieces]) => {
    const matches = pieces.flatMap((piece) => piece.matches).toSorted((one, other) => one.offset - other.offset);
    const said = pieces.reduce((sum, { total }) => sum + (total ?? 0), 0);
    const total = Math.min(Number.MAX_SAFE_INTEGER, Math.max(matches.length, said, 1));
    // It names some of the places, and how many there are.
    if (matches.length > 0 && said > matches.length) budget.isCut = true;
    return { id, matches: budget.matches(matches), total, isAtLeast: matches.length === 0 && said === 0 };
  });
}

/** What is left of the bounds while hits are made. */
class HitBudget {
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

  /** What describes a rule, until the budget is used up. */
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

/** A reply to `scanfile`. */
export interface ScanReply {
  status: number;
  /**
   * As the service gave it, bounded (`jsonBounds`) and without the token: to be shown, not to be read. A text where a
   * member comes twice, or behind a warning.
   */
  reply: Json;
  /** The meaning of all of it. */
  reading: ScanReading;
}

/**
 * The most values a reply may have, by the characters that part them: each takes some hundred bytes while it is read. A
 * hundred thousand matches have a third of it.
 */
const mostParts = 3_000_000;

/** Throws what `readWarnedJson` throws; `unreadable-reply` also for more values than anybody has use for. */
export function readScanBytes(reply: WholeReply, facts: CallFacts): ScanReply {
  const { redaction } = facts;
  const { status, body } = reply;
  const counted = jsonParts(body);
  if (counted.parts > mostParts) fail(quotedReply('unreadable-reply', reply, facts));
  const { json, warning } = readWarnedJson(reply, facts);
  const rewrite = remembering(redaction.data);
  const isDoubtful = warning !== null || membersIn(json) < counted.names;
  const read = withDoubt(readScanReply(json, rewrite), isDoubtful);
  const reading = read.kind === 'failed' ? { ...read, text: redaction.excerpt(Buffer.from(read.text)) } : read;
  return { status, reply: boundJson(isDoubtful ? textOf(body) : json, rewrite), reading };
}

/**
 * Of members of one name the last is read: what the others said may be that there were matches. And what PHP warned of
 * may be why there were none.
 */
function withDoubt(read: ScanReading, isDoubtful: boolean): ScanReading {
  if (!isDoubtful || read.kind !== 'matches') return read;
  return read.hits.length === 0 ? { kind: 'not-understood' } : { ...read, isCut: true };
}

const longestRemembered = 100;
const mostRemembered = 10_000;

/** A reply repeats the same few names a thousand times: each is searched for secrets once. */
function remembering(rewrite: Rewrite): Rewrite {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > longestRemembered || known.size >= mostRemembered) return known.get(text) ?? rewrite(text);
    const rewritten = known.get(text) ?? rewrite(text);
    known.set(text, rewritten);
    return rewritten;
  };
}
