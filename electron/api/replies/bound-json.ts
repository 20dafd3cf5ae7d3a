import type { Json } from '../../../shared/domain/sample.ts';
import { beyondTheCut } from './bounded-text.ts';

/** How much of a service's JSON is kept. What goes beyond is replaced by a text that says so. */
export const jsonBounds = {
  depth: 24,
  values: 20_000,
  textCharacters: 256 * 1024,
  allTextCharacters: 4 * 1024 * 1024,
  keyCharacters: 200,
} as const;

/** Of a sample's comments alone: tens of thousands, which a reply has room for, are kept. */
export const commentBounds = { ...jsonBounds, values: 500_000, allTextCharacters: 16 * 1024 * 1024 } as const;

type JsonBounds = { readonly [name in keyof typeof jsonBounds]: number };

const tooDeep = '[skipped: nested too deeply]';
const tooMany = '[skipped: too large]';

/**
 * A copy of parsed JSON that is safe to keep, send and draw: bounded in depth, number of values and text, numbers
 * finite. A member named `__proto__` appears as `(__proto__)`, because most code that copies objects would drop it or
 * be fooled by it.
 */
export function boundJson(
  value: Json,
  rewrite: (text: string) => string = (text) => text,
  bounds: JsonBounds = jsonBounds,
): Json {
  const budget = { values: bounds.values, characters: bounds.allTextCharacters };
  const text = (raw: string, limit: number): string => {
    const room = Math.min(limit, Math.max(0, budget.characters));
    const taken = rewrite(raw.slice(0, room + beyondTheCut)).slice(0, room);
    budget.characters -= taken.length;
    return taken.length < raw.length && raw.length > limit ? `${taken}…` : taken;
  };
  const copy = (part: Json, depth: number): Json => {
    budget.values -= 1;
    if (budget.values < 0 || budget.characters <= 0) return tooMany;
    if (typeof part === 'string') return text(part, bounds.textCharacters);
    if (typeof part === 'number') return Number.isFinite(part) ? part : String(part);
    if (part === null || typeof part === 'boolean') return part;
    if (depth >= bounds.depth) return tooDeep;
    if (Array.isArray(part)) return within(part, budget).map((item) => copy(item, depth + 1));
    const members = within(Object.entries(part), budget);
    return Object.fromEntries(
      members.map(([name, item]) => [safeName(text(name, bounds.keyCharacters)), copy(item, depth + 1)]),
    );
  };
  return copy(value, 0);
}

/** One more than the budget, so that the last one says that something was left out. */
function within<T>(items: T[], budget: { values: number }): T[] {
  return items.length > budget.values ? items.slice(0, Math.max(0, budget.values) + 1) : items;
}

function safeName(name: string): string {
  return name === '__proto__' ? '(__proto__)' : name;
}
