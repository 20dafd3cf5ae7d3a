import { normalTag, tag } from '../../shared/domain/tag.ts';
import { checkInput } from './checked-input.ts';
import type { OptionValues } from './command.ts';
import { textsOf } from './option-values.ts';
import { wrongUsage } from './usage-error.ts';

/** Tags, in lower case. @throws UsageError for an invalid tag, and for one with control characters */
export const tagsOf = (options: OptionValues, name: string): string[] =>
  textsOf(options, name).map((typed) => {
    const normal = normalTag(typed);
    checkInput(tag, normal, { '': `--${name}` });
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(normal)) wrongUsage(`--${name}: expected a tag without control characters`);
    return normal;
  });
