import { z } from 'zod';

const snapshot = z.object({
  snapshot: z.object({
    meta: z.object({ node_fields: z.array(z.string()), node_types: z.tuple([z.array(z.string())]).rest(z.unknown()) }),
  }),
  nodes: z.array(z.number()),
  strings: z.array(z.string()),
});

/** What the engine keeps for itself as it finds code and optimizes it. Everything else is the program's data. */
const ofTheEngine: ReadonlySet<string> = new Set(['code', 'hidden', 'object shape', 'synthetic', 'number']);

/**
 * How many there are of each class in a V8 heap snapshot, by the name of its constructor; what has none is called by
 * its kind, such as `(string)`.
 */
export function classesIn(text: string): Map<string, number> {
  const {
    snapshot: { meta },
    nodes,
    strings,
  } = snapshot.parse(JSON.parse(text));
  const [kinds] = meta.node_types;
  const [kindAt, nameAt, width] = [
    meta.node_fields.indexOf('type'),
    meta.node_fields.indexOf('name'),
    meta.node_fields.length,
  ];
  const counts = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += width) {
    const kind = kinds[nodes[at + kindAt] ?? -1] ?? '';
    if (ofTheEngine.has(kind)) continue;
    const name =
      kind === 'object' || kind === 'closure' || kind === 'native'
        ? named(kind, strings[nodes[at + nameAt] ?? -1] ?? '')
        : `(${kind})`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const named = (kind: string, name: string): string => (kind === 'closure' ? `${name}()` : name);

/** Classes of which more came than one for each so many pieces of the work between two counts, the most first. */
export function growingClasses(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  moreThan: number,
): { name: string; more: number }[] {
  return [...after]
    .map(([name, count]) => ({ name, more: count - (before.get(name) ?? 0) }))
    .filter(({ more }) => more > moreThan)
    .toSorted((one, other) => other.more - one.more);
}
