import { familyOf } from '../../shared/domain/rule-names.ts';
import { cutText } from './library/cut-text.ts';
import type { MetaEntry, ParsedRule } from './parsed-package.ts';

/** What is kept of a rule that was hit, whatever becomes of its package. */
export interface RuleFacts {
  /** Its key: see shared/domain/rule-names.ts. */
  name: string;
  number: number;
  file: string;
  /** One-based. */
  line: number;
  tags: string[];
  /** The first 50 entries, 500 characters of each. */
  meta: MetaEntry[];
  family: string | null;
}

const mostTags = 50;
const longestName = 200;
const mostEntries = 50;
const longestMeta = 500;

export function factsOf(ruleKey: string, { number, file, line, tags, meta }: ParsedRule): RuleFacts {
  return {
    name: ruleKey,
    number,
    file,
    line,
    tags: tags.slice(0, mostTags).map((tag) => cutText(tag, longestName)),
    meta: meta
      .slice(0, mostEntries)
      .map(({ key, value }) => ({ key: cutText(key, longestMeta), value: cutText(value, longestMeta) })),
    family: familyOf({ tags, meta }),
  };
}
