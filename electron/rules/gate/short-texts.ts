/**
 * Where a line begins: its indentation, and a text that is said there in plain letters. Both end with their line, so
 * that what is matched in a comment or a text of several lines is no other than it was to the engine. Nothing repeats
 * without a bound.
 */
const opening = /\n[ \t]{1,100}(?:(\$\w{0,64} {0,10}= {0,10}"[ !#-[\]-~]{8})[ !#-[\]-~]{1,4000}(?="))?/g;

/**
 * The rule on as many lines without indentation, and with the first letters of its plain texts, which the engine is
 * through with sooner. That they are texts is all that it judges: not how long they are, nor whether two are the same.
 */
export function withShortTexts(rule: string): string {
  return rule.replaceAll(opening, '\n$1');
}
