/** The day in UTC as a version, `2026.11.18`; where that is taken, with the next number behind it: `2026.11.18.2`. */
export function suggestedVersion(taken: readonly string[], now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '.');
  const used = new Set(taken);
  let version = day;
  for (let next = 2; used.has(version); next += 1) version = `${day}.${next}`;
  return version;
}
