import { mostSearchedTags, normalTag, tag } from '../../../shared/domain/tag.ts';

/**
 * Tags of a record as a row of the library has them: services join tags by commas, so that one of theirs may be
 * several. A TLP is none.
 */
export const serviceTagsOf = (tags: readonly string[]): string[] =>
  tags
    .slice(0, mostSearchedTags)
    .flatMap((one) => one.split(',', mostSearchedTags))
    .slice(0, mostSearchedTags)
    .map(normalTag)
    .filter((one) => tag.safeParse(one).success);
