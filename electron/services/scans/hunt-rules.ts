import type { RulePieces } from '../../rules/rule-library.ts';

/** What a package is against another one, as far as hits can tell: rules are compared as they are compiled, without their meta. */
export interface HuntRules {
  /** Rules whose hits may be others than before, in the order of the package. */
  touched: string[];
  /** Rules that are not in use any more, or private now: they have no hits. */
  removed: string[];
}

/** `before` null: there was nothing, and every rule is new. */
export function huntRules(before: RulePieces | null, now: RulePieces): HuntRules {
  if (before === null) return { touched: unique(now.rules.map(({ name }) => name)), removed: [] };
  const old = byName(before.rules);
  const current = byName(now.rules);
  const names = new Set(now.rules.map(({ name }) => name));
  const told = new Set(now.rules.flatMap(({ name, isPrivate }) => (isPrivate ? [] : [name])));
  const gone = before.rules.filter(({ name }) => !names.has(name));
  const changed = new Set([...current].flatMap(([name, { text }]) => (old.get(name)?.text === text ? [] : [name])));
  const wereGlobal = gone.some(({ isGlobal }) => isGlobal) || [...changed].some((name) => old.get(name)?.isGlobal === true);
  return { touched: withUsers(now, changed, wereGlobal), removed: unique(before.rules.flatMap(({ name, isPrivate }) => (isPrivate || told.has(name) ? [] : [name]))) };
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** A rule with several meanings has several pieces. */
function byName(rules: RulePieces['rules']): Map<string, { text: string; isGlobal: boolean }> {
  const found = new Map<string, { text: string; isGlobal: boolean }>();
  for (const { name, text, isGlobal } of rules) {
    const known = found.get(name);
    found.set(name, known === undefined ? { text, isGlobal } : { text: `${known.text}\n${text}`, isGlobal: known.isGlobal || isGlobal });
  }
  return found;
}

/** Those that use a changed rule, however far away, are touched too; and all of them where a global rule changed: none holds where that does not. */
function withUsers({ rules }: RulePieces, changed: ReadonlySet<string>, wereGlobal: boolean): string[] {
  if (wereGlobal || rules.some(({ name, isGlobal }) => isGlobal && changed.has(name))) return unique(rules.map(({ name }) => name));
  const users = usersOf(rules);
  const touched = new Set(changed);
  for (const name of touched) for (const user of users.get(name) ?? []) touched.add(user);
  return unique(rules.flatMap(({ name }) => (touched.has(name) ? [name] : [])));
}

function usersOf(rules: RulePieces['rules']): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const { name, uses, guards = [] } of rules) {
    for (const used of [...uses, ...guards]) {
      const known = users.get(used);
      if (known === undefined) users.set(used, [name]);
      else known.push(name);
    }
  }
  return users;
}
