/** An `include`; its target is a path of the package, or null when it leads to none. */
interface Edge {
  target: string | null;
  line: number;
}

export interface IncludeOrder {
  /** What is included comes before what includes it, and otherwise by path. */
  paths: readonly string[];
  /** The `include` that closes a circle, once each. */
  cycles: readonly { path: string; line: number }[];
}

interface Visit {
  path: string;
  includes: Iterator<Edge, undefined>;
}

/** `files` in the order of their paths. A stack of its own: ten thousand files may include each other in one chain. */
export function includeOrder(files: ReadonlyMap<string, { includes: readonly Edge[] }>): IncludeOrder {
  const state = new Map<string, 'open' | 'done'>();
  const paths: string[] = [];
  const cycles: { path: string; line: number }[] = [];
  const stack: Visit[] = [];
  const enter = (path: string): void => {
    state.set(path, 'open');
    stack.push({ path, includes: (files.get(path)?.includes ?? []).values() });
  };
  for (const path of files.keys()) {
    if (!state.has(path)) enter(path);
    for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
      const edge = visit.includes.next().value;
      if (edge === undefined) {
        paths.push(visit.path);
        state.set(visit.path, 'done');
        stack.pop();
      } else if (edge.target !== null && state.get(edge.target) === 'open') {
        cycles.push({ path: visit.path, line: edge.line });
      } else if (edge.target !== null && !state.has(edge.target)) {
        enter(edge.target);
      }
    }
  }
  return { paths, cycles };
}
