import { z } from 'zod';
import { matchedString, type RuleHit, ruleHit } from '../../shared/domain/scan.ts';
import { readJson } from './stored-json.ts';

/** What a body of a result holds: see `StoredHit`. */
const storedHits = z.array(
  ruleHit
    .omit({ place: true })
    .partial()
    .extend({ rule: ruleHit.shape.rule, strings: z.array(matchedString) }),
);

export const ruleFactsRow = z.object({
  tags: z.string(),
  meta: z.string(),
  family: z.string().nullable(),
  place: z.string().nullable(),
});

export type RuleFacts = Pick<RuleHit, 'tags' | 'meta' | 'family' | 'place'>;
export const noFacts: RuleFacts = { tags: [], meta: [], family: null, place: null };

/** The hits of a result, by name. `factsOf` has what a hit need not say itself. null: they cannot be read any more. */
export function readHits(text: string, factsOf: (rule: string) => RuleFacts): RuleHit[] | null {
  const stored = storedHits.safeParse(readJson(text)).data;
  if (stored === undefined) return null;
  const hits = stored.map(({ rule, strings, namespace = null, ...own }): RuleHit => {
    const { tags, meta, family, place } = factsOf(rule.toWellFormed());
    return {
      rule,
      namespace,
      tags: own.tags ?? tags,
      meta: own.meta ?? meta,
      family: own.family ?? family,
      strings,
      place,
    };
  });
  return hits.toSorted((a, b) => (a.rule < b.rule ? -1 : Number(a.rule > b.rule)));
}

export const ruleFactsOf = ({ tags, meta, family, place }: z.infer<typeof ruleFactsRow>): RuleFacts => ({
  tags: ruleHit.shape.tags.safeParse(readJson(tags)).data ?? [],
  meta: ruleHit.shape.meta.safeParse(readJson(meta)).data ?? [],
  family,
  place: place === null ? null : (ruleHit.shape.place.safeParse(readJson(place)).data ?? null),
});
