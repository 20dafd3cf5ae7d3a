import type { ChangedPart } from '../../../shared/domain/publication.ts';
import type { RulePrints } from '../parsed-package.ts';

const parts = ['modifiers', 'tags', 'meta', 'strings', 'condition'] as const satisfies readonly (keyof RulePrints &
  ChangedPart)[];

/** Of two rules whose texts differ: where their tokens do; `layout` where none does. */
export function changedParts(old: RulePrints, next: RulePrints): ChangedPart[] {
  const changed: ChangedPart[] = parts.filter((part) => old[part] !== next[part]);
  return changed.length === 0 ? ['layout'] : changed;
}
