import { isRuleFileName } from '../../shared/domain/rule-names.ts';
import { nameTraitOf, shownName } from '../archive/archive-names.ts';

const longestPath = 300;

/** Why a file of rules cannot stand at this path of a package, in words for a person; null when it can. */
export function refusedPath(path: string): string | null {
  const because = (reason: string): string => `${JSON.stringify(shownName(path))} ${reason}`;
  if (path.length > longestPath) return because(`is longer than ${longestPath} characters.`);
  if (!isRuleFileName(path)) return because('is no rule file: its name does not end in .yar, .yara, .rule or .rules.');
  const isSafe = path.isWellFormed() && nameTraitOf(path) === null && !path.includes('\\');
  if (!isSafe || path.split('/').some(isEmptyPart)) return because('is no safe path in a package.');
  return null;
}

const isEmptyPart = (part: string): boolean => part.trim() === '' || part === '.';
