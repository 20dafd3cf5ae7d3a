import { z } from 'zod';
import { caseOptions } from '../../shared/domain/case.ts';
import { type CaseFormat, caseFormat } from '../../shared/domain/job.ts';
import { theme, type Theme } from '../../shared/domain/settings.ts';

const key = 'vitrine.case-habits';
const firstFormats: CaseFormat[] = ['misp'];
const habits = z.object({
  formats: z.array(caseFormat).min(1).catch(firstFormats),
  author: caseOptions.shape.author.catch(''),
});
type CaseHabits = z.infer<typeof habits>;

const atFirst: CaseHabits = { formats: firstFormats, author: '' };

/** Who writes cases, and for what: the same as the last time. */
export function rememberedCaseHabits(): CaseHabits {
  try {
    return habits.catch(atFirst).parse(JSON.parse(globalThis.localStorage.getItem(key) ?? 'null'));
  } catch {
    return atFirst;
  }
}

export function rememberCaseHabits(now: CaseHabits): void {
  try {
    globalThis.localStorage.setItem(key, JSON.stringify(now));
  } catch {
    // Not remembered; the next case begins as the first one did.
  }
}

const huntKey = 'vitrine.hunt-afterwards';

/** Whether the vault is to be hunted after an update; false when the person never said. */
export function remembersHuntAfterwards(): boolean {
  try {
    return globalThis.localStorage.getItem(huntKey) === 'yes';
  } catch {
    return false;
  }
}

export function rememberHuntAfterwards(isWanted: boolean): void {
  try {
    globalThis.localStorage.setItem(huntKey, isWanted ? 'yes' : 'no');
  } catch {
    // Not remembered; the next update begins without a hunt.
  }
}

const sidebarKey = 'vitrine.rail';

/** Whether the person folded the rail; null when they never said. */
export function rememberedSidebarFold(): boolean | null {
  try {
    const stored = globalThis.localStorage.getItem(sidebarKey);
    return stored === null ? null : stored === 'folded';
  } catch {
    return null;
  }
}

export function rememberSidebarFold(isFolded: boolean): void {
  try {
    globalThis.localStorage.setItem(sidebarKey, isFolded ? 'folded' : 'open');
  } catch {
    // Not remembered; the rail opens by the window's width next time.
  }
}

const themeKey = 'vitrine.theme';

/** The theme of the last page, known before the host has answered, so that the first paint is right. */
export function rememberedTheme(): Theme {
  const read = theme.safeParse(storage()?.getItem(themeKey));
  return read.success ? read.data : 'system';
}

export function rememberTheme(chosen: Theme): void {
  try {
    storage()?.setItem(themeKey, chosen);
  } catch {
    // A full or forbidden storage costs one wrong first paint, and nothing else.
  }
}

function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
