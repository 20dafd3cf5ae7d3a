import { z } from 'zod';
import {
  defaultRuleOptions,
  type LastCheck,
  lastCheck,
  type RuleOptions,
  ruleOptions,
} from '../../../shared/domain/publication.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';

/** SHA-256 of packages, and how the last check came out. */
export interface PackagePointers {
  active: string | null;
  candidate: string | null;
  pinned: string | null;
  lastCheck: LastCheck | null;
}

const stateRow = z.object({
  workspaceId: z.string(),
  options: z.string().nullable(),
  active: z.string().nullable(),
  candidate: z.string().nullable(),
  pinned: z.string().nullable(),
  lastCheck: z.string().nullable(),
});
const columns = 'workspace_id AS workspaceId, options, active, candidate, pinned, last_check AS lastCheck';

/** What a workspace does about rule packages, and which of them it uses. The caller gives the transaction. */
export class RuleState {
  readonly #one;
  readonly #all;
  readonly #put;

  constructor(db: Database) {
    this.#one = db.query(stateRow, `SELECT ${columns} FROM rule_state WHERE workspace_id = ?`);
    this.#all = db.query(stateRow, `SELECT ${columns} FROM rule_state ORDER BY workspace_id`);
    const put = (column: string) =>
      db.command(
        `INSERT INTO rule_state (workspace_id, ${column}) VALUES (?, ?) ON CONFLICT (workspace_id) DO UPDATE
          SET ${column} = excluded.${column}`,
      );
    this.#put = {
      options: put('options'),
      active: put('active'),
      candidate: put('candidate'),
      pinned: put('pinned'),
      lastCheck: put('last_check'),
    };
  }

  options(workspaceId: string): RuleOptions {
    return optionsOf(this.#one.get(workspaceId)?.options ?? null);
  }

  setOptions(workspaceId: string, options: RuleOptions): void {
    this.#put.options.run(workspaceId, JSON.stringify(ruleOptions.parse(options)));
  }

  pointers(workspaceId: string): PackagePointers {
    const row = this.#one.get(workspaceId);
    return {
      active: row?.active ?? null,
      candidate: row?.candidate ?? null,
      pinned: row?.pinned ?? null,
      lastCheck: checkOf(row?.lastCheck ?? null),
    };
  }

  point(workspaceId: string, to: 'active' | 'candidate' | 'pinned', sha256: string | null): void {
    this.#put[to].run(workspaceId, sha256);
  }

  setLastCheck(workspaceId: string, check: LastCheck): void {
    this.#put.lastCheck.run(workspaceId, JSON.stringify(check));
  }

  workspaceIds(): string[] {
    return this.#all.all().map(({ workspaceId }) => workspaceId);
  }

  scheduled(): { workspaceId: string; everyHours: number; lastAt: string | null }[] {
    return this.#all.all().flatMap(({ workspaceId, options, lastCheck: check }) => {
      const everyHours = optionsOf(options).checkHours;
      return everyHours === 0 ? [] : [{ workspaceId, everyHours, lastAt: checkOf(check)?.at ?? null }];
    });
  }
}

/** Before there were variables and relaxed regular expressions, workspaces had none and all were strict. */
const storedOptions = ruleOptions.extend({
  variables: ruleOptions.shape.variables.default([]),
  relaxed: ruleOptions.shape.relaxed.default(defaultRuleOptions.relaxed),
});
const optionsOf = (text: string | null): RuleOptions =>
  (text === null ? null : storedOptions.safeParse(readJson(text)).data) ?? defaultRuleOptions;
const checkOf = (text: string | null): LastCheck | null =>
  text === null ? null : (lastCheck.safeParse(readJson(text)).data ?? null);

/**
 * Its turns are numbers of journal rows, and no times: a clock may be put back, and then the last is not the latest.
 */
export interface PackageTurns {
  sha256: string;
  received: number;
  /** When it was made active last; null: it never was. */
  activated: number | null;
  /** A person brought it. */
  isFromFile: boolean;
}

/**
 * Packages that are no longer kept: what a service offered before its current offer, and, besides the packages that are
 * pointed at, all but the `keep` that were made active last. A package that a person opened and did not install yet
 * stays until the person removes it.
 */
export function notKept(
  packages: readonly PackageTurns[],
  { active, candidate, pinned }: Omit<PackagePointers, 'lastCheck'>,
  keep: number,
): string[] {
  const isWaiting = ({ activated, isFromFile }: PackageTurns): boolean => isFromFile && activated === null;
  const free = packages.filter(
    (one) => one.sha256 !== active && one.sha256 !== candidate && one.sha256 !== pinned && !isWaiting(one),
  );
  const kept = free
    .filter(({ activated }) => activated !== null)
    .toSorted((one, other) => (other.activated ?? 0) - (one.activated ?? 0))
    .slice(0, keep);
  return free.filter((one) => !kept.includes(one)).map(({ sha256 }) => sha256);
}

/** It was active before, and what is active now came after it. */
export function isBack(packages: readonly PackageTurns[], next: string, former: string | null): boolean {
  const [to, from] = [next, former].map((wanted) => packages.find(({ sha256 }) => sha256 === wanted));
  return to !== undefined && to.activated !== null && from !== undefined && to.received < from.received;
}
