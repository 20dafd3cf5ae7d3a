/** What hides secrets in a text. */
export type Rewrite = (text: string) => string;

/**
 * Characters after a cut that are looked at too: what is to be rewritten may lie across it, and half of a secret is
 * none to anybody who looks for it.
 */
export const beyondTheCut = 100 * 1024;

/** The first characters of a text after it was rewritten, and no half of a pair of surrogates. */
export const boundedText = (raw: string, limit: number, rewrite: Rewrite): string =>
  rewrite(raw.slice(0, limit + beyondTheCut))
    .slice(0, limit)
    .toWellFormed();
