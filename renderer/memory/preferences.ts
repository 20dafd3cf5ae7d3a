import { z } from 'zod';
import { caseOptions } from '../../shared/domain/case.ts';
import { type CaseFormat, caseFormat } from '../../shared/domain/job.ts';
import { theme, type Theme, timeDisplay, type TimeDisplay } from '../../shared/domain/settings.ts';

const caseKey = 'vitrine.case-habits';
const firstFormats: CaseFormat[] = ['misp'];
const habits = z.object({
  formats: z.array(caseFormat).min(1).catch(firstFormats),
  author: caseOptions.shape.author.catch(''),
});
type CaseHabits = z.infer<typeof habits>;

const atFirst: CaseHabits = { formats: firstFormats, author: '' };

/** null: nothing is stored, or the browser keeps nothing. */
function stored(key: string): string | null {
  try {
    return globalThis.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Where a full or forbidden storage takes nothing, the next page begins with the defaults. */
function store(key: string, value: string): void {
  try {
    globalThis.localStorage.setItem(key, value);
  } catch {
    // Not remembered.
  }
}

/** Formats and author of the last case; the next one begins with them. */
export function rememberedCaseHabits(): CaseHabits {
  try {
    return habits.catch(atFirst).parse(JSON.parse(stored(caseKey) ?? 'null'));
  } catch {
    return atFirst;
  }
}

export const rememberCaseHabits = (now: CaseHabits): void => store(caseKey, JSON.stringify(now));

const huntKey = 'vitrine.hunt-afterwards';

/** Whether the vault is to be hunted after an update; false when the person never said. */
export const remembersHuntAfterwards = (): boolean => stored(huntKey) === 'yes';

export const rememberHuntAfterwards = (isWanted: boolean): void => store(huntKey, isWanted ? 'yes' : 'no');

const sidebarKey = 'vitrine.rail';

/** Whether the person folded the sidebar; null when they never said. */
export function rememberedSidebarFold(): boolean | null {
  const fold = stored(sidebarKey);
  return fold === null ? null : fold === 'folded';
}

export const rememberSidebarFold = (isFolded: boolean): void => store(sidebarKey, isFolded ? 'folded' : 'open');

const themeKey = 'vitrine.theme';

/** The theme of the last page, known before the host has answered, so that the first paint is right. */
export function rememberedTheme(): Theme {
  const read = theme.safeParse(stored(themeKey));
  return read.success ? read.data : 'system';
}

export const rememberTheme = (chosen: Theme): void => store(themeKey, chosen);

const timesKey = 'vitrine.times';

/** How the last page showed times, for the first times that are drawn. */
export function rememberedTimes(): TimeDisplay {
  const read = timeDisplay.safeParse(stored(timesKey));
  return read.success ? read.data : 'utc';
}

export const rememberTimes = (times: TimeDisplay): void => store(timesKey, times);
