import { DifferenceRows } from '../difference/difference-rows.ts';
import type { FileReading } from '../file-reading.ts';
import type { RuleFile } from '../package-files.ts';
import { parsePackage } from '../parse-package.ts';
import type { ParsedPackage } from '../parsed-package.ts';
import { type IndexedPackage, indexPackage } from './indexed-package.ts';
import { type Judged, NotLoadedError } from './library-messages.ts';
import { RuleNames } from './rule-names.ts';
import { RuleSearch } from './rule-search.ts';

/** The active one, the new one, and two to look back at. */
const mostPackages = 4;
const mostDifferences = 4;

interface Loaded {
  pack: IndexedPackage;
  /** An engine has seen it: then or now. */
  isJudged: boolean;
}

/** The packages in memory, the one used last at the end. */
export class LoadedPackages {
  readonly #loaded = new Map<string, Loaded>();
  #differences: DifferenceRows[] = [];
  #search: RuleSearch | null = null;
  #names: RuleNames | null = null;

  keys(): string[] {
    return [...this.#loaded.keys()];
  }

  /** Fails where the files are over the limits. `judged` null: no engine has seen it. */
  load(key: string, files: readonly RuleFile[], judged: Judged | null): IndexedPackage {
    return this.#loaded.has(key)
      ? this.recall(key, judged)
      : this.#keep(key, parsePackage(files, { get: (sha256) => this.#readingOf(sha256) }), judged);
  }

  /** Uses it again; what is said to be broken counts where nothing better is known. */
  recall(key: string, judged: Judged | null): IndexedPackage {
    const { pack, isJudged } = this.#use(key);
    return isJudged || judged === null ? pack : this.#keep(key, pack.parsed, judged);
  }

  /** As an engine found it. It is kept even if others were used meanwhile. */
  judge(key: string, parsed: ParsedPackage, judged: Judged): IndexedPackage {
    return this.#keep(key, parsed, judged);
  }

  get(key: string): IndexedPackage {
    return this.#use(key).pack;
  }

  difference(from: string | null, to: string): DifferenceRows {
    const old = from === null ? null : this.get(from);
    const next = this.get(to);
    const known =
      this.#differences.find((each) => each.from === old && each.to === next) ?? new DifferenceRows(old, next);
    this.#differences = [known, ...this.#differences.filter((each) => each !== known)].slice(0, mostDifferences);
    return known;
  }

  search(key: string): RuleSearch {
    const pack = this.get(key);
    if (this.#search?.isOver(pack) !== true) this.#search = new RuleSearch(pack);
    return this.#search;
  }

  names(key: string): RuleNames {
    const pack = this.get(key);
    if (this.#names?.isOver(pack) !== true) this.#names = new RuleNames(pack);
    return this.#names;
  }

  /**
   * Packages are mostly versions of each other: what their files have in common is read once, and is in memory once.
   */
  #readingOf(sha256: string): FileReading | undefined {
    for (const { pack } of this.#loaded.values()) {
      const reading = pack.parsed.readings.get(sha256);
      if (reading !== undefined) return reading;
    }
    return undefined;
  }

  #use(key: string): Loaded {
    const loaded = this.#loaded.get(key);
    if (loaded === undefined) throw new NotLoadedError(key);
    this.#loaded.delete(key);
    this.#loaded.set(key, loaded);
    return loaded;
  }

  #keep(key: string, parsed: ParsedPackage, judged: Judged | null): IndexedPackage {
    const pack = indexPackage(parsed, judged?.broken ?? parsed.broken, judged?.warnings);
    this.#loaded.delete(key);
    this.#loaded.set(key, { pack, isJudged: judged !== null });
    for (const oldest of this.keys().slice(0, -mostPackages)) this.#loaded.delete(oldest);
    this.#forget();
    return pack;
  }

  /** Data derived from packages that are no longer loaded. */
  #forget(): void {
    const here = new Set<IndexedPackage | null>([...this.#loaded.values()].map(({ pack }) => pack));
    this.#differences = this.#differences.filter(({ from, to }) => here.has(to) && (from === null || here.has(from)));
    const isHere = (made: RuleSearch | RuleNames | null): boolean =>
      [...here].some((pack) => pack !== null && made?.isOver(pack) === true);
    if (!isHere(this.#search)) this.#search = null;
    if (!isHere(this.#names)) this.#names = null;
  }
}
