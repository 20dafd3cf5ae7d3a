/** The path of failures that are of the output itself. */
export const standardOutput = 'the standard output';

/** Whoever read the output went away. */
export class OutputGone extends Error {
  override readonly name = 'OutputGone';
}
