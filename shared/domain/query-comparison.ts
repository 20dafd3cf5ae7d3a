export type ComparisonSign = '>' | '>=' | '<' | '<=' | '=';

/**
 * What the value of a size, a count or a time says of its numbers, which are not read yet. `low` and `high` may be the
 * wrong way round.
 */
export type Comparison =
  { kind: 'than'; sign: ComparisonSign; operand: string } | { kind: 'between'; low: string; high: string };

const signs = ['>=', '<=', '>', '<', '='] as const;

/** `>1`, `1..2`, `1..`, `..2` or `1` alone, which is `=1`; null where a number is missing. */
export function readComparison(text: string): Comparison | null {
  const sign = signs.find((one) => text.startsWith(one));
  if (sign) return than(sign, text.slice(sign.length));
  const dots = text.indexOf('..');
  if (dots < 0) return than('=', text);
  const [low, high] = [text.slice(0, dots).trim(), text.slice(dots + 2).trim()];
  if (low === '') return than('<=', high);
  return high === '' ? than('>=', low) : { kind: 'between', low, high };
}

function than(sign: ComparisonSign, text: string): Comparison | null {
  const operand = text.trim();
  return operand === '' ? null : { kind: 'than', sign, operand };
}
