import { shown } from './include-target.ts';
import { type Damage, longestRuleName, type Stray } from './split-file.ts';

/** Where something stands in a package. */
export interface Found {
  file: string;
  line: number;
}

const damages: Record<Damage, string> = {
  'long-name': `Its name is longer than ${longestRuleName} characters`,
  'no-body': 'It has no opening brace',
  'no-end': 'It has no closing brace',
  'open-comment': 'A comment in it is not closed',
  'open-text': 'A text string in it is not closed on its line',
  'open-regex': 'A regular expression in it is not closed on its line',
  'open-hex': 'A hex string in it is not closed, or holds what is no hex',
};

const strays: Record<Stray['cause'], string> = {
  'no-name': 'A rule without a name that can be one',
  'no-target': 'An import or include without a name in quotes',
  modifiers: 'Modifiers without a rule',
  brace: 'A closing brace without a rule',
  'open-comment': 'A comment that is not closed',
  other: 'Text that belongs to no rule',
};

export const textOfDamage = (damage: Damage): string => damages[damage];
export const textOfStray = ({ cause }: Stray): string => strays[cause];
export const textOfWrongBytes = 'It holds bytes that are not UTF-8';
export const textOfDuplicate = ({ file, line }: Found): string => `The name is taken by ${shown(file)}, line ${line}`;
export const textOfUse = ({ name, file, line }: Found & { name: string }): string =>
  `It uses ${shown(name)}, which is broken: ${shown(file)}, line ${line}`;
export const textOfUndefined = (name: string): string => `Nothing before it has the name ${shown(name)}`;
export const textOfWideWildcard = 'It names too many rules by a star';
/**
 * Of a rule in a file that several files include: it is broken in some of their namespaces. `times`: in how many;
 * `root` is the first.
 */
export const textOfLeftOut = (name: string, { root, times }: { root: string; times: number }): string =>
  `${shown(name)} is left out where ${shown(root)}${times === 1 ? '' : ` and ${times - 1} more`} includes it`;
