import { randomUUID } from 'node:crypto';
import type { AddedMute, Mute, MuteChange, MuteDraft, MuteStep } from '../../../shared/domain/mute.ts';
import { fail } from '../../../shared/failure.ts';
import type { EventHub } from '../../event-hub.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { MuteRow, MuteRows, MuteStore } from '../../storage/scans/mute-store.ts';
import { libraryKey, type LoadedRules } from './loaded-rules.ts';

export interface MutesOptions {
  store: MuteStore;
  packages: PackageStore;
  rules: LoadedRules;
  events: EventHub;
}

/** Steps that can be undone: a user undoes at once. */
const mostSteps = 100;

/**
 * Rules whose hits are not to be shown as hits. A mute holds on through updates, and reports when its rule is another
 * one by then.
 */
export class Mutes {
  readonly #options: MutesOptions;
  readonly #steps = new Map<string, MuteRows>();

  constructor(options: MutesOptions) {
    this.#options = options;
  }

  async list(workspaceId: string): Promise<Mute[]> {
    const rows = this.#options.store.list(workspaceId);
    const prints = await this.#printsNow(
      workspaceId,
      rows.map(({ rule }) => rule),
    );
    return rows.map((row, index) => viewOf(row, prints === null ? undefined : (prints[index] ?? null)));
  }

  /** Names of rules that are muted just now: in every sample, or in any. */
  mutedRules(workspaceId: string, where: 'everywhere' | 'anywhere'): ReadonlySet<string> {
    const inForce = this.#options.store
      .list(workspaceId)
      .filter((row) => !hasExpired(row) && (where === 'anywhere' || row.sample === null));
    return new Set(inForce.map(({ rule }) => rule));
  }

  async add(draft: MuteDraft): Promise<AddedMute> {
    const { store } = this.#options;
    const [print = null] = (await this.#printsNow(draft.workspaceId, [draft.rule])) ?? [];
    const before = store.find(draft);
    const after = store.add(draft, print);
    const undo = randomUUID();
    this.#keep({ added: undo }, { before, after });
    return { ...(await this.#muteOf(after)), undo, replaces: before !== null };
  }

  async change(id: number, change: MuteChange): Promise<Mute> {
    return this.#muteOf(this.#options.store.change(id, change));
  }

  /** It holds for the rule as it is now. */
  async confirm(id: number): Promise<Mute> {
    const { workspaceId, rule } = this.#options.store.get(id) ?? fail({ kind: 'mute-missing', id });
    const [print = null] = (await this.#printsNow(workspaceId, [rule])) ?? [];
    return this.#muteOf(this.#options.store.confirm(id, print));
  }

  remove(id: number): void {
    const before = this.#options.store.get(id) ?? fail({ kind: 'mute-missing', id });
    this.#options.store.remove(id);
    this.#keep({ removed: id }, { before, after: null });
    this.#report(before.workspaceId);
  }

  /** Leaves all as it was before a mute was added or removed. */
  undo(step: MuteStep): void {
    const rows = this.#steps.get(keyOf(step)) ?? fail({ kind: 'nothing-to-undo' });
    this.#options.store.takeBack(rows);
    this.#steps.delete(keyOf(step));
    this.#report((rows.after ?? rows.before).workspaceId);
  }

  #keep(step: MuteStep, rows: MuteRows): void {
    this.#steps.set(keyOf(step), rows);
    for (const oldest of this.#steps.keys()) if (this.#steps.size > mostSteps) this.#steps.delete(oldest);
  }

  async #muteOf(row: MuteRow): Promise<Mute> {
    this.#report(row.workspaceId);
    const prints = await this.#printsNow(row.workspaceId, [row.rule]);
    return viewOf(row, prints === null ? undefined : (prints[0] ?? null));
  }

  #report(workspaceId: string): void {
    this.#options.events.emit({ name: 'mutes.changed', payload: { workspaceId } });
  }

  /** null while there is no active package. */
  async #printsNow(workspaceId: string, names: readonly string[]): Promise<(string | null)[] | null> {
    const { active } = this.#options.packages.pointers(workspaceId);
    if (active === null || names.length === 0) return null;
    return this.#options.rules.with(workspaceId, [active], (library) =>
      library.prints(libraryKey(workspaceId, active), names),
    );
  }
}

// The number of a mute is never given again.
const keyOf = (step: MuteStep): string => ('added' in step ? step.added : String(step.removed));

/** `print`: of the rule in the active package, null when it is not there; no `print` at all without a package. */
function viewOf({ print: asMuted, ...row }: MuteRow, print: string | null | undefined): Mute {
  return { ...row, hasExpired: hasExpired(row), ruleNow: ruleNow(asMuted, print) };
}

function ruleNow(asMuted: string | null, print: string | null | undefined): Mute['ruleNow'] {
  if (print === undefined) return 'unknown';
  if (print === null) return 'gone';
  // One that was muted before it was there is what it is.
  return asMuted === null || asMuted === print ? 'same' : 'changed';
}

const hasExpired = ({ expires }: Pick<MuteRow, 'expires'>): boolean =>
  expires !== null && Date.parse(expires) <= Date.now();
