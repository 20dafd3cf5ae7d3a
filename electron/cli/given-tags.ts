import { normalTag, tag } from '../../shared/domain/tag.ts';
import type { OptionValues } from './command.ts';
import { textsOf } from './option-values.ts';
import { wrongUsage } from './usage-error.ts';

/** Tags, in lower case. @throws UsageError for what is none, and for one that is not a line of text */
export const tagsOf = (options: OptionValues, name: string): string[] =>
  textsOf(options, name).map((typed) => {
    const { data, error } = tag.safeParse(normalTag(typed));
    if (data === undefined) return wrongUsage(`--${name} must be ${error?.issues[0]?.message ?? 'a tag'}`);
    return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(data) ? wrongUsage(`--${name} must be a tag without line breaks`) : data;
  });
