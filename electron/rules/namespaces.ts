import type { ParsedFile, ParsedRule } from './parsed-package.ts';

/** What YARA compiles into one namespace: a file that no other one includes, and all that it includes. */
export interface Namespace {
  /** The path of that file. */
  root: string;
  /** In the order of their text: an included file is at the place of its `include`. Each file is here once. */
  rules: readonly ParsedRule[];
}

export interface DividedPackage {
  /** By the paths of their roots; only those with a rule. */
  namespaces: readonly Namespace[];
  /** In how many of them each file is. */
  spread: ReadonlyMap<string, number>;
}

/**
 * `files` in the order of their paths; `onAgain` is called for each file that comes in another namespace too, and may
 * throw. Of files that include each other and that no other one includes, the first by path is the root.
 */
export function divideIntoNamespaces(
  files: ReadonlyMap<string, ParsedFile>,
  onAgain: (file: ParsedFile) => void,
): DividedPackage {
  const divider = new Divider(files, onAgain);
  const included = new Set<string | null>();
  for (const { path, includes } of files.values())
    for (const { target } of includes) if (target !== path) included.add(target);
  for (const path of files.keys()) if (!included.has(path)) divider.take(path);
  for (const path of files.keys()) if (!divider.spread.has(path)) divider.take(path);
  return { namespaces: divider.namespaces.toSorted((a, b) => (a.root < b.root ? -1 : 1)), spread: divider.spread };
}

type Item = ParsedRule | ParsedFile['includes'][number];

class Divider {
  readonly namespaces: Namespace[] = [];
  readonly spread = new Map<string, number>();
  readonly #files: ReadonlyMap<string, ParsedFile>;
  readonly #onAgain: (file: ParsedFile) => void;
  readonly #items = new Map<ParsedFile, readonly Item[]>();

  constructor(files: ReadonlyMap<string, ParsedFile>, onAgain: (file: ParsedFile) => void) {
    this.#files = files;
    this.#onAgain = onAgain;
  }

  take(root: string): void {
    const rules = this.#rulesFrom(root);
    if (rules.length > 0) this.namespaces.push({ root, rules });
  }

  /** A stack of its own: ten thousand files may include each other in one chain. */
  #rulesFrom(root: string): readonly ParsedRule[] {
    const first = this.#enter(root);
    if (first === null) return [];
    if (first.includes.length === 0) return first.rules;
    const rules: ParsedRule[] = [];
    const seen = new Set([root]);
    const stack = [this.#itemsOf(first).values()];
    for (let items = stack.at(-1); items !== undefined; items = stack.at(-1)) {
      const item = items.next().value;
      if (item === undefined) {
        stack.pop();
      } else if ('name' in item) {
        rules.push(item);
      } else if (item.target !== null && !seen.has(item.target)) {
        seen.add(item.target);
        const file = this.#enter(item.target);
        if (file !== null) stack.push(this.#itemsOf(file).values());
      }
    }
    return rules;
  }

  #enter(path: string): ParsedFile | null {
    const file = this.#files.get(path) ?? null;
    const times = this.spread.get(path) ?? 0;
    this.spread.set(path, times + 1);
    if (file !== null && times > 0) this.#onAgain(file);
    return file;
  }

  #itemsOf(file: ParsedFile): readonly Item[] {
    const known = this.#items.get(file);
    if (known !== undefined) return known;
    const items =
      file.includes.length === 0 ? file.rules : [...file.includes, ...file.rules].toSorted((a, b) => a.start - b.start);
    this.#items.set(file, items);
    return items;
  }
}
