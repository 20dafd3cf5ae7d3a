import { type Damage, longestRuleName, type Stray } from './split-rules.ts';

const shownLength = 100;
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of a package, fit for one line. */
export const shown = (text: string): string =>
  (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text).replace(hidden, '\ufffd');

/** A place in a package. */
interface Found {
  file: string;
  line: number;
}

const damages: Record<Damage, string> = {
  'long-name': `Its name is longer than ${longestRuleName} characters`,
  'no-body': 'It has no opening brace',
  'no-end': 'It has no closing brace',
  'open-comment': 'It has an unclosed comment',
  'open-text': 'It has a text string that is not closed on its line',
  'open-regex': 'It has a regular expression that is not closed on its line',
  'open-hex': 'It has a hex string that is unclosed or invalid',
};

const strays: Record<Stray['cause'], string> = {
  'no-name': 'A rule without a valid name',
  'no-target': 'An import or include without a quoted name',
  modifiers: 'Modifiers without a rule',
  brace: 'A closing brace without a rule',
  'open-comment': 'An unclosed comment',
  other: 'Text outside any rule',
};

export const textOfDamage = (damage: Damage): string => damages[damage];
export const textOfStray = ({ cause }: Stray): string => strays[cause];
export const textOfWrongBytes = 'It is not valid UTF-8';
export const textOfDuplicate = ({ file, line }: Found): string =>
  `The name is already used in ${shown(file)}, line ${line}`;
export const textOfUse = ({ name, file, line }: Found & { name: string }): string =>
  `It uses ${shown(name)}, which is broken: ${shown(file)}, line ${line}`;
export const textOfUndefined = (name: string): string => `Undefined: ${shown(name)}`;
export const textOfWideWildcard = 'Its wildcard matches too many rules';
/**
 * Of a rule in a file that several files include: it is broken in some of their namespaces. `times`: in how many;
 * `root` is the first.
 */
export const textOfLeftOut = (name: string, { root, times }: { root: string; times: number }): string =>
  `${shown(name)} is skipped where ${shown(root)}${times === 1 ? ' includes' : ` and ${times - 1} more include`} it`;
