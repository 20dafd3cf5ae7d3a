import { normalTag, tag } from '../../shared/domain/tag.ts';

const mostOfOneRecord = 200;

/** Tags of a record as a row of the library has them: services join tags by commas, so that one of theirs may be several. A TLP is none. */
export const serviceTagsOf = (tags: readonly string[]): string[] =>
  tags.slice(0, mostOfOneRecord).flatMap((one) => one.split(',', mostOfOneRecord)).slice(0, mostOfOneRecord)
    .map(normalTag).filter((one) => tag.safeParse(one).success);
