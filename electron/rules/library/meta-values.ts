import { assertNever } from '../../../shared/assert-never.ts';
import type { MetaMatch } from '../../../shared/domain/rule-query.ts';

/** A number, a text, or nothing. */
export type MetaValue = string | number | null;

/** Whether a value of meta, as the rule has it, is what a search asks for. */
export function isMetaMatch(value: string, match: MetaMatch): boolean {
  switch (match.kind) {
    case 'any':
      return true;
    case 'contains':
      return value.toLowerCase().includes(match.value);
    case 'compare': {
      const { comparison } = match;
      if (comparison.kind === 'than') return isSign(comparison.sign, orderOf(value, comparison.operand));
      const [low, high] = [orderOf(value, comparison.low), orderOf(value, comparison.high)];
      return low !== null && high !== null && low >= 0 && high <= 0;
    }
    default:
      return assertNever(match);
  }
}

function isSign(sign: '>' | '>=' | '<' | '<=' | '=', order: number | null): boolean {
  if (order === null) return false;
  switch (sign) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '=':
      return order === 0;
    default:
      return assertNever(sign);
  }
}

/**
 * Numbers as numbers, days as days (a month is all of its days), else letters. null: a number and a text have no order.
 */
function orderOf(value: string, operand: string): number | null {
  const [number, wanted] = [numberOf(value), numberOf(operand)];
  if (number !== null && wanted !== null) return number - wanted;
  const day = dayOf(value);
  if (dayOf(operand) !== null) return day === null ? null : byText(day.slice(0, operand.length), operand);
  return wanted === null ? byText(value.toLowerCase(), operand) : null;
}

const numberOf = (text: string): number | null => (/^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : null);
/** `2024-03`, `2024-03-01`, also with `/` and with a time behind it. */
const dayOf = (text: string): string | null =>
  /^\s*(\d{4}[-/]\d{2}(?:[-/]\d{2})?)(?!\d)/.exec(text)?.[1]?.replaceAll('/', '-') ?? null;
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Numbers before texts; what has no value comes last in either direction. */
export function metaOrder(a: MetaValue, b: MetaValue, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x !== null && y !== null) return sign * (x - y);
  if (x !== null || y !== null) return sign * (x !== null ? -1 : 1);
  return sign * byText(String(a).toLowerCase(), String(b).toLowerCase());
}

const asNumber = (value: string | number): number | null => (typeof value === 'number' ? value : numberOf(value));
