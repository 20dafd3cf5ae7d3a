import { normalTag, tag } from '../../shared/domain/tag.ts';
import { firstIssue } from '../../shared/input-words.ts';
import type { OptionValues } from './command.ts';
import { wrongUsage } from './exit.ts';
import { textsOf } from './option-values.ts';

/**
 * Refuses what an operation would refuse, before anything is begun. `names`: the option or argument for each path in
 * the value, `repository.baseUrl`, or the beginning of one; "" is for all others.
 * @throws UsageError that names it
 */
export function checkInput(
  schema: Parameters<typeof firstIssue>[0],
  value: unknown,
  names: Readonly<Record<string, string>>,
): void {
  const issue = firstIssue(schema, value);
  if (issue === null) return;
  const { path } = issue;
  const beginnings = path.map((_, at) => path.slice(0, path.length - at).join('.'));
  const known = [...beginnings, ''].find((beginning) => Object.hasOwn(names, beginning)) ?? '';
  wrongUsage(`${names[known] ?? 'an argument'}: expected ${issue.message}`);
}

/** Tags, in lower case. @throws UsageError for an invalid tag, and for one with control characters */
export const tagsOf = (options: OptionValues, name: string): string[] =>
  textsOf(options, name).map((typed) => {
    const normal = normalTag(typed);
    checkInput(tag, normal, { '': `--${name}` });
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(normal)) wrongUsage(`--${name}: expected a tag without control characters`);
    return normal;
  });
