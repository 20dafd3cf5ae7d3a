import { text } from './text.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long a package was in use: `was active for 7 days`. Less than an hour is no time to tell. */
export function activeWords(activeMs: number): string {
  if (activeMs < hourMs) return text.activeShortly;
  return activeMs < 2 * dayMs
    ? text.activeHours(Math.round(activeMs / hourMs))
    : text.activeDays(Math.round(activeMs / dayMs));
}
