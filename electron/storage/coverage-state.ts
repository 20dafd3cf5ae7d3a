/**
 * Of each rule the look that a sample's hits are from: numbers of `coverage_rule` and `coverage_look` in turn, the rules rising. A rule
 * that is not in it has not looked at the sample, or nothing is known of it.
 */
export type CoverageState = Int32Array;

export const noCoverage: CoverageState = new Int32Array();

const signed = (zigzag: number): number => (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2);
const zigzagOf = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** Bytes for the database. Numbers that were given one after the other, as those of a package, take a few bytes together. */
export function encodeState(state: CoverageState): Uint8Array {
  const bytes: number[] = [];
  const write = (value: number): void => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  let [rule, look] = [0, 0];
  for (let at = 0; at < state.length; ) {
    let end = at + 2;
    while (end < state.length && isNext(state, end)) end += 2;
    write((state[at] ?? 0) - rule);
    write(zigzagOf((state[at + 1] ?? 0) - look));
    write((end - at) / 2);
    [rule, look] = [(state[end - 2] ?? 0) + 1, (state[end - 1] ?? 0) + 1];
    at = end;
  }
  return Uint8Array.from(bytes);
}

const isNext = (state: CoverageState, at: number): boolean => state[at] === (state[at - 2] ?? 0) + 1 && state[at + 1] === (state[at - 1] ?? 0) + 1;

/** What cannot be read counts as nothing: the samples are looked at again. */
export function decodeState(bytes: Uint8Array): CoverageState {
  const numbers: number[] = [];
  let at = 0;
  const read = (): number => {
    let [value, factor] = [0, 1];
    for (; at < bytes.length; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
    return Number.NaN;
  };
  let [rule, look] = [0, 0];
  while (at < bytes.length) {
    const [ruleStep, lookStep, length] = [read(), signed(read()), read()];
    if (Number.isNaN(ruleStep + lookStep + length)) return noCoverage;
    for (let index = 0; index < length; index += 1) numbers.push(rule + ruleStep + index, look + lookStep + index);
    [rule, look] = [rule + ruleStep + length, look + lookStep + length];
  }
  return Int32Array.from(numbers);
}

/** What samples in `old` have when these rules looked at them. `isKept`: whether a rule still means something. */
export function stateAfter(old: CoverageState, looks: CoverageState, isKept: (rule: number) => boolean): CoverageState {
  const numbers: number[] = [];
  let next = 0;
  for (let at = 0; at < old.length; at += 2) {
    const rule = old[at] ?? 0;
    for (; next < looks.length && (looks[next] ?? 0) < rule; next += 2) numbers.push(looks[next] ?? 0, looks[next + 1] ?? 0);
    if (looks[next] !== rule && isKept(rule)) numbers.push(rule, old[at + 1] ?? 0);
  }
  for (; next < looks.length; next += 2) numbers.push(looks[next] ?? 0, looks[next + 1] ?? 0);
  return Int32Array.from(numbers);
}
