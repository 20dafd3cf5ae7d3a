import { type RuleOptions, ruleOptions } from '../../../../shared/domain/publication.ts';
import type { TokenChange } from '../../../../shared/domain/workspace.ts';
import { text } from './text.ts';

/** The form as it is typed: text until it is saved. */
export interface SettingsFields extends Pick<RuleOptions, 'includeTest' | 'publicLink' | 'encrypted' | 'versionWhenNone' | 'policy' | 'mapping'> {
  checkHours: string;
  keep: string;
  /** A stored password is never here. */
  password: { intent: TokenChange['kind']; typed: string };
}

export type SettingsProblems = Partial<Record<'versionWhenNone' | 'checkHours' | 'keep', string>>;

export function fieldsOf({ checkHours, keep, ...options }: RuleOptions, hasPassword: boolean): SettingsFields {
  return { ...options, checkHours: String(checkHours), keep: String(keep), password: { intent: hasPassword ? 'keep' : 'set', typed: '' } };
}

/** An empty password field stores none. */
export function passwordOf({ password: { intent, typed } }: SettingsFields): TokenChange {
  if (intent === 'set') return typed === '' ? { kind: 'keep' } : { kind: 'set', token: typed };
  return { kind: intent };
}

export type ReadSettings = { ok: true; options: RuleOptions } | { ok: false; problems: SettingsProblems };

/** The password is no option, and is left out. */
export function readFields({ checkHours, keep, ...fields }: SettingsFields): ReadSettings {
  const read = ruleOptions.safeParse({ ...fields, versionWhenNone: fields.versionWhenNone.trim(), checkHours: wholeNumber(checkHours), keep: wholeNumber(keep) });
  if (read.success) return { ok: true, options: read.data };
  const wrong = new Set(read.error.issues.map(({ path: [field] }) => field));
  return {
    ok: false,
    problems: {
      ...(wrong.has('versionWhenNone') ? { versionWhenNone: text.versionWhenNoneProblem } : {}),
      ...(wrong.has('checkHours') ? { checkHours: text.wholeNumber(0, 720) } : {}),
      ...(wrong.has('keep') ? { keep: text.wholeNumber(1, 50) } : {}),
    },
  };
}

const wholeNumber = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN);
