// Each expression begins where a line does and repeats nothing without a bound. What it matches holds no quotation mark
// and neither opens nor closes a comment, so that in a comment or a text of several lines it is no other than it was to
// the engine.
const named = String.raw`(\n[ \t]{0,100}\$\w{0,64} {0,10}= {0,10})`;

const byte = '[0-9A-Fa-f]{2}';
/** Its first number is lower than its second, and it is longer than nothing. */
const jump = String.raw`\[(?:[1-9]\d?|[0-3]-[4-9]|\d-[1-9]\d)\]`;
const hexToken = String.raw`(?:${byte}|\?\?|${jump})`;
const plainHex = new RegExp(
  String.raw`${named}\{ {0,10}(${byte}(?: {0,10}${byte}){3})(?: {0,10}${hexToken}){0,1000} {0,10}${byte} {0,10}\}`,
  'g',
);

const letter = String.raw`(?:\w|\\[dswDSW.]|\[(?:a-z|A-Z|0-9|a-f|A-F|_){1,5}\])`;
/** All are greedy, and few, so that the expression stays small. */
const repetition = String.raw`(?:[+?]|\{[1-9]\}|\{[0-3],[4-9]\})`;
const plainRegex = new RegExp(String.raw`${named}\/(\w{4})(?:${letter}${repetition}?){1,100}\/`, 'g');

/** Of a longer rule it counts how long the engine takes for it. */
const longestRule = 16_384;

/**
 * The rule on as many lines with the first bytes of its plain hex strings and the first letters of its plain regular
 * expressions, which the engine compiles sooner. The engine accepts any string of those forms, and judges the text
 * after one by the form alone.
 */
export function withShortPatterns(rule: string): string {
  if (rule.length > longestRule) return rule;
  return rule.replaceAll(plainHex, '$1{ $2 }').replaceAll(plainRegex, '$1/$2/');
}
