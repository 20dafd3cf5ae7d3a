const mostSlips = 2;

/** Behind a sentence about a word that is not known: the one that was most likely meant, if any was. */
export function suggestion(typed: string, known: readonly string[]): string {
  const nearest = nearestWord(typed, known);
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
}

/** The word that was most likely meant; null where none begins so, or is at most two slips of a finger away. */
export function nearestWord(typed: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((word) => ({ word, slips: distance(typed.toLowerCase(), word) }))
    .toSorted((a, b) => a.slips - b.slips);
  return nearest && nearest.slips <= Math.min(mostSlips, nearest.word.length / 2) ? nearest.word : null;
}

/** Who left off in the middle of a word meant it more likely than another one. */
const distance = (typed: string, word: string): number =>
  typed.length > 1 && word.startsWith(typed) ? 0.5 : slipsBetween(typed, word);

/** Letters that are missing, too many, or others (Levenshtein); two that changed places count as one. */
function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const other = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, other, isSwapped ? (before[j - 2] ?? 0) + 1 : other),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
