import type { BundledRecord } from '../../../shared/domain/bundled.ts';

/** What a record may be, in a bundle that is read or written: no more than is kept of a service's own (`boundJson`), and some room for what it is wrapped in. */
const recordBounds = { depth: 32, values: 40_000, textCharacters: 256 * 1024 + 1, allTextCharacters: 8 * 2 ** 20, comments: 10_000, idCharacters: 256 } as const;

export function isBounded({ record }: BundledRecord): boolean {
  const { comments } = record;
  if (comments.length > recordBounds.comments) return false;
  if (comments.some(({ id, parentId }) => Math.max(id.length, parentId?.length ?? 0) > recordBounds.idCharacters)) return false;
  return isBoundedValue(record);
}

/** Without recursion: it may be nested more deeply than the stack is high. */
function isBoundedValue(whole: object): boolean {
  const open: [unknown, number][] = [[whole, 0]];
  let [values, characters] = [0, 0];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values > recordBounds.values || characters > recordBounds.allTextCharacters || (typeof value === 'string' && value.length > recordBounds.textCharacters)) return false;
    if (typeof value !== 'object' || value === null) continue;
    const parts: [string, unknown][] = Object.entries(value);
    if (depth === recordBounds.depth || parts.length > recordBounds.values) return false;
    for (const [name, part] of parts) {
      if (!Array.isArray(value)) characters += name.length;
      open.push([part, depth + 1]);
    }
  }
  return true;
}
