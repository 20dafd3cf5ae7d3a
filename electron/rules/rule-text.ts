import { YaraScanner } from '../../shared/domain/yara-scanner.ts';
import type { RuleInstance } from './rule-binding.ts';

/** What takes the place of a part of a text; in order, and none in another. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * The text of an instance for one namespace of an engine, line by line as it is in the file: with its identifier, with
 * those of the rules it uses, and with its guards in front of the condition. Where nothing of it needs another name, it
 * is the rule's own text.
 * @param source the text of the rule's file
 * @param isGuarded without guards a condition is judged by itself, as a gate must do: inside of brackets others would
 * compile
 */
export function textForEngine(instance: RuleInstance, source: string, { isGuarded }: { isGuarded: boolean }): string {
  const { start, end } = instance.rule;
  const edits = [...headEdits(instance, source), ...conditionEdits(instance, source, isGuarded)];
  if (edits.length === 0) return source.slice(start, end);
  const parts: string[] = [];
  let at = start;
  for (const edit of edits) {
    parts.push(source.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return [...parts, source.slice(at, end)].join('');
}

function* headEdits({ rule, identifier, isPrivate, isGlobal }: RuleInstance, source: string): Generator<Edit> {
  if (identifier === rule.name && isPrivate === rule.isPrivate && isGlobal === rule.isGlobal) return;
  const scanner = new YaraScanner(source, rule);
  let isName = false;
  while (scanner.nextSignificant()) {
    const { start, end } = scanner;
    const word = source.slice(start, end);
    if (isName) {
      yield { start, end, text: identifier };
      return;
    }
    if (word === 'global' && !isGlobal) yield { start, end, text: ' '.repeat(end - start) };
    isName = word === 'rule';
    if (isName && isPrivate && !rule.isPrivate) yield { start, end: start, text: 'private ' };
  }
}

function* conditionEdits({ rule, targets, guards }: RuleInstance, source: string, isGuarded: boolean): Generator<Edit> {
  const { condition, names } = rule;
  const asked = isGuarded && condition !== null && names.end !== null ? guards : [];
  if (asked.length > 0 && condition !== null)
    yield {
      start: condition.start,
      end: condition.start,
      text: ` (${asked.map(({ identifier }) => identifier).join(' and ')}) and (`,
    };
  for (const [index, { name, start, end, isWildcard }] of names.mentions.entries()) {
    const target = targets[index] ?? null;
    if (target === null || (!isWildcard && target[0]?.identifier === name)) continue;
    yield {
      start,
      end,
      text: target.map(({ identifier }) => identifier).join(', ') + lineEndsIn(source.slice(start, end)),
    };
  }
  if (asked.length > 0 && names.end !== null) yield { start: names.end, end: names.end, text: ')' };
}

const lineEndsIn = (text: string): string => '\n'.repeat(text.split('\n').length - 1);
