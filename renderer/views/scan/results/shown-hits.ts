import { nameOfKey } from '../../../../shared/domain/rule-names.ts';
import type { MatchedString, RuleHit, ScannedFile, ScanResult, ScanSide } from '../../../../shared/domain/scan.ts';
import type { HexMark } from '../../../components/hex/hex-mark.ts';

/** Why a rule is muted in the file, and until when. */
type HitMute = Pick<ScannedFile['muted'][number], 'reason' | 'expires'>;

/** A rule and a file, whichever side found it. */
export interface ShownHit extends RuleHit {
  /** Who found it; none: it is lost. */
  sides: readonly ScanSide[];
  /** The side that alone found it, where both looked. */
  only: ScanSide | null;
  mute: HitMute | null;
  /** Against the hunt before. */
  news: 'added' | 'lost' | null;
  /** Of the side whose strings are shown. */
  matches: number;
  isAtLeast: boolean;
}

/** One place in the file where a string of a rule matched. */
export interface ShownMatch extends HexMark {
  /** As lower-case hexadecimal digits, the first 64 bytes; null: not known. */
  data: string | null;
  /** null: the service did not say. */
  saidLength: number | null;
}

/** What is new and what is lost first, what is muted last; else by name. */
export function shownHits(file: ScannedFile): ShownHit[] {
  const hits = new Map<string, ShownHit>();
  for (const result of file.results)
    for (const hit of result.hits)
      for (const rule of keysOf(hit.rule, result.side, hits))
        hits.set(rule, joined(hits.get(rule), hit, result.side, file));
  for (const rule of file.lost) if (!hits.has(rule)) hits.set(rule, lostHit(rule, file));
  const isCompared = differenceOf(file.results) !== null;
  return [...hits.values()]
    .map((hit) => ({ ...hit, only: isCompared && hit.sides.length === 1 ? (hit.sides[0] ?? null) : null }))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one.rule < other.rule ? -1 : 1));
}

/** A service sends bare names: each means every rule of that name that was found here. */
function keysOf(rule: string, side: ScanSide, found: ReadonlyMap<string, ShownHit>): string[] {
  const named = side === 'service' ? [...found.keys()].filter((key) => nameOfKey(key) === rule) : [];
  return named.length === 0 ? [rule] : named;
}

/** The side that comes first knows the bytes: its strings are shown, unless it has none. */
function joined(before: ShownHit | undefined, hit: RuleHit, side: ScanSide, file: ScannedFile): ShownHit {
  const { strings } = before === undefined || before.strings.length === 0 ? hit : before;
  const sum = {
    matches: strings.reduce((total, string) => total + string.total, 0),
    isAtLeast: strings.some(({ isAtLeast }) => isAtLeast),
  };
  if (before !== undefined)
    return {
      ...before,
      strings,
      ...sum,
      place: before.place ?? hit.place,
      family: before.family ?? hit.family,
      sides: [...before.sides, side],
    };
  return {
    ...hit,
    ...sum,
    sides: [side],
    only: null,
    mute: muteOf(hit.rule, file),
    news: file.added.includes(hit.rule) ? 'added' : null,
  };
}

const lostHit = (rule: string, file: ScannedFile): ShownHit => ({
  rule,
  namespace: null,
  tags: [],
  meta: [],
  family: null,
  strings: [],
  place: null,
  sides: [],
  only: null,
  matches: 0,
  isAtLeast: false,
  mute: muteOf(rule, file),
  news: 'lost',
});

const muteOf = (rule: string, { muted }: ScannedFile): HitMute | null =>
  muted.find((each) => each.rule === rule) ?? null;
const rankOf = ({ mute, news }: ShownHit): number =>
  mute !== null ? 3 : news === 'added' ? 0 : news === 'lost' ? 1 : 2;

/** By offset. */
export function matchesOf({ strings }: Pick<ShownHit, 'strings'>): ShownMatch[] {
  return strings.flatMap(placesOf).toSorted((one, other) => one.offset - other.offset || one.length - other.length);
}

const placesOf = ({ id, matches }: MatchedString): ShownMatch[] =>
  matches.map(({ offset, length, data }) => ({
    offset,
    length: length ?? (data ?? '').length / 2,
    label: id,
    data,
    saidLength: length,
  }));

/** Rules that one side found and the other did not. */
interface SideDifference {
  onlyLocal: readonly string[];
  onlyService: readonly string[];
}

/** null where not both sides looked, or were understood. */
export function differenceOf(results: readonly ScanResult[]): SideDifference | null {
  const [local, service] = (['local', 'service'] as const).map((side) =>
    results.find((result) => result.side === side && result.state === 'scanned'),
  );
  if (local === undefined || service === undefined) return null;
  const names = (result: ScanResult): ReadonlySet<string> => new Set(result.hits.map(({ rule }) => rule));
  const [byLocal, byService] = [names(local), names(service)];
  const named = new Set([...byLocal].map(nameOfKey));
  return {
    onlyLocal: [...byLocal].filter((rule) => !byService.has(rule) && !byService.has(nameOfKey(rule))),
    onlyService: [...byService].filter((rule) => !byLocal.has(rule) && !named.has(rule)),
  };
}

/** How many matches each side counts; null where not both of them found the rule. */
export function matchTotals(results: readonly ScanResult[], rule: string): { local: number; service: number } | null {
  const total = (side: ScanSide): number | undefined =>
    results
      .find((result) => result.side === side)
      ?.hits.find((hit) => hit.rule === rule || (side === 'service' && hit.rule === nameOfKey(rule)))
      ?.strings.reduce((sum, string) => sum + string.total, 0);
  const [local, service] = [total('local'), total('service')];
  return local === undefined || service === undefined ? null : { local, service };
}
