import { assertNever } from '../../../shared/assert-never.ts';
import { cutText } from '../../../shared/domain/visible-text.ts';
import { ruleDifference } from '../difference/difference-rows.ts';
import { packagePatch } from '../difference/package-patch.ts';
import type { IndexedPackage } from './indexed-package.ts';
import type { Answer, Contents, Question } from './library-messages.ts';
import type { LoadedPackages } from './loaded-packages.ts';
import { metaValue, relationsAt } from './rule-search.ts';
import {
  factsOf,
  type FoundRules,
  type PackageRuleRow,
  ruleAt,
  type RuleFacts,
  ruleRow,
  ruleToTry,
  ruleView,
} from './rule-views.ts';
import { fingerprintWindow, usablePieces } from './usable-rules.ts';

export const contentsOf = ({ parsed, usable }: IndexedPackage): Contents => ({
  files: parsed.files.length,
  rules: usable.size,
});

/** Fails with a NotLoadedError, or with `rule-missing`. */
export function answerTo(question: Question, packages: LoadedPackages): Answer {
  const { kind } = question;
  switch (kind) {
    case 'recall':
      return { kind, contents: contentsOf(packages.recall(question.key, question.judged)) };
    case 'difference': {
      const found = packages.difference(question.from, question.to);
      return { kind, difference: { counts: found.counts, rows: found.window(question.window), total: found.total } };
    }
    case 'review': {
      const difference = packages.difference(question.from, question.to);
      const { facets, total, listed, firstRule, window } = difference.review.list(question.query);
      return {
        kind,
        review: {
          counts: difference.counts,
          facets,
          total,
          listed,
          firstRule,
          rows: window(question.window.offset, question.window.limit),
        },
      };
    }
    case 'patch':
      return {
        kind,
        patch: packagePatch(
          question.from === null ? null : packages.get(question.from),
          packages.get(question.to),
          question.at,
        ),
      };
    case 'ruleDifference': {
      const from = question.from === null ? null : packages.get(question.from);
      return { kind, difference: ruleDifference(from, packages.get(question.to), question.rules) };
    }
    case 'rules':
      return { kind, found: rulesOf(question, packages) };
    case 'ruleNames':
      return {
        kind,
        rows: rowsOf(packages.get(question.key), packages.names(question.key).best(question.find, question.limit)),
      };
    case 'rule':
      return { kind, view: ruleView(packages.get(question.key), question.number) };
    case 'relations':
      return { kind, relations: relationsAt(packages.get(question.key), question.number) };
    case 'toTry': {
      const pack = packages.get(question.key);
      return { kind, rule: ruleToTry(pack, ruleAt(pack, question.number)) };
    }
    case 'prints': {
      const { usable } = packages.get(question.key);
      return { kind, prints: question.names.map((name) => usable.get(name)?.prints.text ?? null) };
    }
    case 'pieces':
      return { kind, pieces: usablePieces(packages.get(question.key), question.from) };
    case 'fingerprints':
      return { kind, fingerprints: fingerprintWindow(packages.get(question.key), question.from, question.variables) };
    case 'facts': {
      const { usable } = packages.get(question.key);
      return { kind, facts: question.names.map((name) => factsIn(usable, name)) };
    }
    default:
      return assertNever(question);
  }
}

function factsIn(usable: IndexedPackage['usable'], key: string): RuleFacts | null {
  const rule = usable.get(key);
  return rule === undefined ? null : factsOf(key, rule);
}

function rulesOf(
  { key, question, columns, window }: Extract<Question, { kind: 'rules' }>,
  packages: LoadedPackages,
): FoundRules {
  const pack = packages.get(key);
  const search = packages.search(key);
  const numbers = search.numbers(question);
  const shown = numbers
    .slice(window.offset, window.offset + window.limit)
    .flatMap((number) => pack.parsed.rules[number] ?? []);
  const rows = shown.map((rule) => ({
    ...ruleRow(pack, rule),
    warnings: [...new Set(pack.warningsOf.get(rule.number)?.map(({ code }) => code))],
    values: columns.map((column) => shortValue(metaValue(rule, column))),
  }));
  return { rows, total: numbers.length, metaKeys: search.metaKeys };
}

const longestValue = 200;
const shortValue = (value: string | null): string | null => (value === null ? null : cutText(value, longestValue));

const rowsOf = (pack: IndexedPackage, numbers: readonly number[]): PackageRuleRow[] =>
  numbers.flatMap((number) => pack.parsed.rules[number] ?? []).map((rule) => ruleRow(pack, rule));
