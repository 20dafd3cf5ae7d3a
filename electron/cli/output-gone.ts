/** Whoever read the output went away. */
export class OutputGone extends Error {
  override readonly name = 'OutputGone';
}
