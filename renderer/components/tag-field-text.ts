import { tlpLevels } from '../../shared/domain/tag.ts';

/** English of a field for tags. */
export const text = {
  none: 'no tags',
  at: (label: string, tags: string) => `${label}: ${tags}`,
  /** Beside chips; alone where no chip fits. */
  more: (count: number) => `+${count}`,
  count: (count: number) => (count === 1 ? '1 tag' : `${count} tags`),
  /** All of them in words, those that are seen as they are seen: whoever speaks to the page says what is on it. */
  cut: (seen: string, rest: string, unseen: string) => `${seen} ${rest}: ${unseen}`.trim(),
  remove: (tag: string) => `Remove ${tag}`,
  added: (tag: string) => `${tag} added`,
  removed: (tag: string) => `${tag} removed`,
  suggestions: 'Known tags',
  space: 'Tags may contain spaces. Enter or a comma ends a tag.',
  /** `what` is a tag's own schema speaking: "a tag of at most 100 characters". */
  invalid: (what: string) => `Enter ${what}`,
  notTlp: `Valid TLP levels: ${tlpLevels.join(', ')}`,
  tlpElsewhere: 'Set the TLP in its own field',
  tooMany: (count: number) => `At most ${count} tags at once. The rest was skipped`,
} as const;
