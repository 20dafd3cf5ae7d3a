/** What a command ends with. Part of its interface: scripts rely on these numbers (docs/command-line.md). */
export const exitCodes = {
  done: 0,
  /** Something failed that no other number tells. */
  failed: 1,
  /** The command line itself is wrong; nothing was done. */
  usage: 2,
  /** Asked, and not known there: at least one of them. */
  notFound: 3,
  /** No token, a refused one, or one without the right. */
  notAllowed: 4,
  /** The service cannot be reached, or does not answer as it should. */
  service: 5,
  /** The data is in use, of a newer version, damaged, or its disk refuses. */
  data: 6,
  /** Refused to protect somebody: a third party, a marking, wrong bytes. */
  refused: 7,
  /** A rule hit: `scan` and `hunt` with `--fail-on-hit`. */
  hit: 8,
  /** Ctrl-C, as shells number it. */
  interrupted: 130,
  /** Whoever read the output went away, as shells number it. */
  brokenPipe: 141,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
