import { conventionalVariables } from '../../shared/domain/rule-variable.ts';
import type { ParsedPackage } from './parsed-package.ts';
import type { RuleInstance } from './rule-binding.ts';

/** How names are made that no rule has. */
const made = /__\d+$/;

/**
 * Gives each instance an identifier that it shares with nothing: no other instance, no module, no variable that scans
 * set, and no word of a condition that means something else than this rule, whatever it is. Where the rule's own name
 * is free, it is that.
 */
export function nameForEngine(
  { rules, files }: ParsedPackage,
  instances: readonly (RuleInstance & { identifier: string })[],
): void {
  const taken = new Set<string>([
    ...conventionalVariables,
    ...files.flatMap(({ imports }) => imports.map(({ value }) => value)),
  ]);
  const names = new Set<string>(taken);
  for (const { rule, targets } of instances) {
    for (const [index, mention] of rule.names.mentions.entries())
      if ((targets[index] ?? null) === null) taken.add(mention.name);
  }
  for (const {
    name,
    names: { mentions, declared },
  } of rules) {
    names.add(name);
    for (const mention of mentions) if (made.test(mention.name)) names.add(mention.name);
    for (const variable of declared) if (made.test(variable)) names.add(variable);
  }
  const nextOf = new Map<string, number>();
  for (const instance of instances) {
    const { name } = instance.rule;
    let identifier = name;
    if (taken.has(name)) {
      let next = nextOf.get(name) ?? 2;
      while (names.has(`${name}__${next}`)) next += 1;
      nextOf.set(name, next + 1);
      identifier = `${name}__${next}`;
      names.add(identifier);
    }
    taken.add(identifier);
    instance.identifier = identifier;
  }
}
