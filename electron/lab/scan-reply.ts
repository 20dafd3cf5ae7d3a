import { nameOfKey } from '../../shared/domain/rule-names.ts';
import type { RuleFacts } from '../rules/rule-library.ts';
import type { FoundRule, FoundString } from '../rules/scanning/scan-verdict.ts';
import type { StoredPublication } from './metadata-store.ts';

/** What the rules of a publication found in a file. */
export interface ScannedWith {
  found: readonly FoundRule[];
  /** Of each that was found, in their order. */
  facts: readonly (RuleFacts | null)[];
  /** Rules that are not looked with, because they do not end, or end the engine, or use such a one. */
  leftOut: readonly string[];
}

/** As docs/services.md, "scanfile in the lab", has it. `left_out` is there only when something is. */
export function scanReply({ id, version, group }: StoredPublication, { found, facts, leftOut }: ScannedWith): object {
  return {
    publication: { id, version, group },
    matches: found.map((rule, index) => matchOf(rule, facts[index] ?? null)),
    ...(leftOut.length > 0 ? { left_out: leftOut } : {}),
  };
}

function matchOf({ rule, strings }: FoundRule, facts: RuleFacts | null): object {
  return {
    rule: nameOfKey(rule),
    // Of several rules with one name all but the first are told apart by their files.
    namespace: facts === null || facts.name === nameOfKey(rule) ? 'default' : facts.file,
    tags: facts?.tags ?? [],
    meta: Object.fromEntries((facts?.meta ?? []).map(({ key, value }) => [key, value])),
    strings: strings.flatMap(placesOf),
  };
}

/** Where there are more places than are told, the last one is none and says how many there are. */
function placesOf({ id, matches, total }: FoundString): object[] {
  const places = matches.map(({ offset, length, data }) => ({ id, offset, length, data }));
  return total > matches.length ? [...places, { id, total }] : places;
}
