import { type RuleOptions, ruleOptions } from '../../../shared/domain/publication.ts';
import { readVariables, writtenVariable } from '../../../shared/domain/rule-variable.ts';
import type { TokenChange } from '../../../shared/domain/workspace.ts';
import { text } from './strings.ts';

/** The form as it is typed: text until it is saved. */
export interface OptionsFields extends Pick<
  RuleOptions,
  'includeTest' | 'publicLink' | 'encrypted' | 'versionWhenNone' | 'policy' | 'mapping' | 'relaxed'
> {
  checkHours: string;
  keep: string;
  /** One a line. */
  variables: string;
  /** A stored password is never here. */
  password: { intent: TokenChange['kind']; typed: string };
}

export type OptionsProblems = Partial<Record<'versionWhenNone' | 'checkHours' | 'keep' | 'variables', string>>;

export function fieldsOf(
  { checkHours, keep, variables, ...options }: RuleOptions,
  hasPassword: boolean,
): OptionsFields {
  return {
    ...options,
    checkHours: String(checkHours),
    keep: String(keep),
    variables: variables.map(writtenVariable).join('\n'),
    password: { intent: hasPassword ? 'keep' : 'set', typed: '' },
  };
}

/** An empty password field stores none. */
export function passwordOf({ password: { intent, typed } }: OptionsFields): TokenChange {
  if (intent === 'set') return typed === '' ? { kind: 'keep' } : { kind: 'set', token: typed };
  return { kind: intent };
}

export type ReadOptions = { ok: true; options: RuleOptions } | { ok: false; problems: OptionsProblems };

/** The password is no option, and is left out. */
export function readFields({ checkHours, keep, variables, ...fields }: OptionsFields): ReadOptions {
  const defined = readVariables(variables);
  const read = ruleOptions.safeParse({
    ...fields,
    versionWhenNone: fields.versionWhenNone.trim(),
    checkHours: wholeNumber(checkHours),
    keep: wholeNumber(keep),
    variables: defined.ok ? defined.variables : null,
  });
  if (read.success) return { ok: true, options: read.data };
  const wrong = new Set(read.error.issues.map(({ path: [field] }) => field));
  return {
    ok: false,
    problems: {
      ...(wrong.has('versionWhenNone') ? { versionWhenNone: text.versionWhenNoneProblem } : {}),
      ...(wrong.has('checkHours') ? { checkHours: rangeOf('checkHours') } : {}),
      ...(defined.ok ? {} : { variables: text.variablesProblem(defined.line, defined.problem) }),
      ...(wrong.has('keep') ? { keep: rangeOf('keep') } : {}),
    },
  };
}

const wholeNumber = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN);

function rangeOf(field: 'checkHours' | 'keep'): string {
  const { minValue, maxValue } = ruleOptions.shape[field];
  return text.wholeNumber(minValue ?? 0, maxValue ?? 0);
}
