import type { RuleWarning, WarningCount } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { fail } from '../../../shared/failure.ts';
import { NotLoadedError, type RuleLibrary } from '../../rules/rule-library.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { Packages } from '../../vault/packages.ts';
import { openPackage, type PackageOpening } from './opened-package.ts';
import { type PackageWithoutTokens, packageWithoutTokens } from './package-without-tokens.ts';

export interface LoadedRulesOptions {
  library: RuleLibrary;
  packages: Packages;
  store: PackageStore;
  passwords(workspaceId: string): Promise<readonly string[]>;
  /** Those of a workspace, as far as they can be had. */
  tokens(workspaceId: string): Promise<readonly string[]>;
}

/** By code. */
export const countsOf = (warnings: readonly RuleWarning[]): WarningCount[] =>
  [...Map.groupBy(warnings, ({ code }) => code)]
    .map(([code, all]) => ({ code, count: all.length }))
    .toSorted((a, b) => b.count - a.count);

export const libraryKey = (workspaceId: string, sha256: string): string => `${workspaceId}/${sha256}`;

/** The rules of packages that are kept, read into memory when they are asked for. */
export class LoadedRules {
  readonly #options: LoadedRulesOptions;
  readonly #loading = new Map<string, Promise<void>>();

  constructor(options: LoadedRulesOptions) {
    this.#options = options;
  }

  /** That the workspace defines. */
  variables(workspaceId: string): RuleVariable[] {
    return this.#options.store.options(workspaceId).variables;
  }

  /**
   * As it lies in the vault, but for the tokens of its workspace. @throws FailureError as `openPackage` and
   * `packageWithoutTokens` do, `package-missing`, `vault-damaged`
   */
  async open(
    workspaceId: string,
    sha256: string,
    options: Pick<PackageOpening, 'signal' | 'readsUnmarked'> = {},
  ): Promise<PackageWithoutTokens> {
    const { packages, passwords, store, tokens } = this.#options;
    const access = await packages.openAt(workspaceId, sha256);
    try {
      const opened = await openPackage(access, { sha256, passwords: await passwords(workspaceId), ...options });
      return await packageWithoutTokens(opened, {
        sha256,
        tokens: await tokens(workspaceId),
        noted: store.tokens(workspaceId, sha256),
      });
    } finally {
      await access.close();
    }
  }

  /**
   * Asks the library about packages of a workspace, each under its key, once they are in it. Another question may push
   * one out, and a thread may end: then they are read again, once.
   */
  async with<T>(
    workspaceId: string,
    sha256s: readonly string[],
    use: (library: RuleLibrary) => Promise<T>,
  ): Promise<T> {
    await this.#ensureAll(workspaceId, sha256s);
    try {
      return await use(this.#options.library);
    } catch (error) {
      if (!(error instanceof NotLoadedError)) throw error;
      await this.#ensureAll(workspaceId, sha256s);
      return use(this.#options.library);
    }
  }

  async #ensureAll(workspaceId: string, sha256s: readonly string[]): Promise<void> {
    for (const sha256 of sha256s) await this.#ensure(workspaceId, sha256);
  }

  async #ensure(workspaceId: string, sha256: string): Promise<void> {
    const key = libraryKey(workspaceId, sha256);
    if (this.#options.library.has(key)) return;
    const loading =
      this.#loading.get(key) ?? this.#load(workspaceId, sha256, key).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    await loading;
  }

  async #load(workspaceId: string, sha256: string, key: string): Promise<void> {
    const { store, library } = this.#options;
    const row = store.get(workspaceId, sha256) ?? fail({ kind: 'package-missing', sha256 });
    if (row.contents === null) fail(row.failure ?? { kind: 'package-unreadable', sha256, text: '' });
    const { files } = await this.open(workspaceId, sha256);
    const broken = store.broken(workspaceId, sha256);
    const isOld = row.contents.namespaces === undefined || row.contents.engineWarnings === undefined;
    const isAll = row.contents.broken <= broken.length;
    if (isAll && !isOld)
      return void (await library.load(key, files, broken, store.engineWarnings(workspaceId, sha256)));
    // The list of a package with very many is stored in part; what was found before files had namespaces is not true
    // any more, and warnings were not kept.
    const unread = broken.filter(({ kind }) => kind === 'file');
    const isRelaxed = isOld ? store.options(workspaceId).relaxed : row.isRelaxed;
    const {
      rules,
      namespaces,
      broken: now,
      brokenTotal,
      warnings,
    } = await library.gate(key, {
      signal: new AbortController().signal,
      onProgress: () => {},
      unread,
      files,
      isRelaxed,
      variables: row.variables,
    });
    if (isOld)
      store.recompiled(workspaceId, {
        sha256,
        contents: { ...row.contents, rules, broken: brokenTotal, namespaces, engineWarnings: countsOf(warnings) },
        isRelaxed,
        variables: row.variables,
        broken: now,
        engineWarnings: warnings,
      });
  }
}
