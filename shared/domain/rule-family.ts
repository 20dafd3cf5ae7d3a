import type { z } from 'zod';
import type { metaEntry } from './publication.ts';

/** Keys under which rules name a family, the best first; written in any case, with or without `_` and `-`. */
const familyKeys = ['family', 'malwarefamily', 'malware'];
const longest = 200;

/**
 * The family a rule is for: as its meta says, else its first tag; null where it has neither. At most 200 characters.
 */
export function familyOf({
  tags,
  meta,
}: {
  tags: readonly string[];
  meta: readonly z.infer<typeof metaEntry>[];
}): string | null {
  const named = familyKeys.flatMap((wanted) =>
    meta.flatMap(({ key, value }) => (plain(key) === wanted ? [value] : [])),
  );
  const family = [...named, ...tags].map((text) => text.trim()).find((text) => text !== '');
  return family === undefined ? null : family.slice(0, longest).toWellFormed();
}

const plain = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');
