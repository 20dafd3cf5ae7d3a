import { YaraScanner } from '../../../shared/domain/yara-scanner.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';

/**
 * The source with literals in place of these variables, on as many lines: for values that the binding of an engine
 * cannot be given, because it would change their type. Only conditions name variables.
 */
export function withLiterals(source: string, variables: readonly RuleVariable[]): string {
  const literals = new Map(
    variables.filter(({ name }) => source.includes(name)).map((variable) => [variable.name, literalOf(variable)]),
  );
  if (literals.size === 0) return source;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of variableWords(source)) {
    const literal = literals.get(source.slice(start, end));
    if (literal === undefined) continue;
    parts.push(source.slice(done, start), literal);
    done = end;
  }
  return [...parts, source.slice(done)].join('');
}

/**
 * Which of these names the conditions of a source mention as a variable or a rule is mentioned: not as a field, nor in
 * a text or a comment.
 */
export function namesIn(source: string, names: readonly string[]): string[] {
  const sought = new Set(names.filter((name) => source.includes(name)));
  const found = new Set<string>();
  if (sought.size === 0) return [];
  for (const { start, end } of variableWords(source)) {
    const word = source.slice(start, end);
    if (sought.has(word)) found.add(word);
  }
  return names.filter((name) => found.has(name));
}

/** Words in conditions, but for fields of a module. The same object each time. */
function* variableWords(source: string): Generator<{ readonly start: number; readonly end: number }, void, void> {
  const scanner = new YaraScanner(source);
  let isInCondition = false;
  let before = '';
  while (scanner.nextSignificant()) {
    const { kind, start, end } = scanner;
    if (kind === 'sign') {
      const sign = source[start] ?? '';
      if (sign === ':' && before === 'condition') isInCondition = true;
      if (sign === '}') isInCondition = false;
      before = sign;
    } else if (kind === 'word') {
      if (isInCondition && before !== '.') yield scanner;
      before = source.slice(start, end);
    } else {
      before = '';
    }
  }
}

function literalOf({ type, value }: RuleVariable): string {
  if (type === 'text') return `"${Array.from(Buffer.from(value), escaped).join('')}"`;
  if (type === 'boolean') return String(value);
  const digits = type === 'float' ? decimal(Math.abs(value)) : String(Math.abs(value));
  return value < 0 ? `(-${digits})` : digits;
}

const escaped = (byte: number): string =>
  /[\w .:/-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;

/** YARA has no exponents, and the dot is what makes it a float. */
function decimal(value: number): string {
  if (Number.isInteger(value)) return `${BigInt(value)}.0`;
  const [digits = '', exponent] = String(value).split('e-');
  return exponent === undefined
    ? digits
    : `0.${digits.replace('.', '').padStart(Number(exponent) - 1 + digits.replace('.', '').length, '0')}`;
}
