/** What the bytes must be, in lower-case hex; null where nothing is known. */
export interface Expected {
  md5: string | null;
  sha256: string | null;
}

/** One sample, or any of several: the bytes say which. */
export type Expectation = Expected | readonly Expected[];

const allOf = (expectation: Expectation): readonly Expected[] => ('md5' in expectation ? [expectation] : expectation);

/** What bytes with this MD5 must be; undefined when they are not what was expected. */
export const expectedWith = (md5: string, expectation: Expectation): Expected | undefined =>
  allOf(expectation).find((one) => one.md5 === null || one.md5 === md5);

/** The first hash that was expected, for failures. */
export function expectedName(expectation: Expectation): string {
  const [first] = allOf(expectation);
  return first?.md5 ?? first?.sha256 ?? '';
}
