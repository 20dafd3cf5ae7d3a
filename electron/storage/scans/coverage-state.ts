/**
 * Of each rule the look that a sample's hits are from: numbers of `coverage_rule` and `coverage_look` in turn, the
 * rules rising. A rule that is not in it has not looked at the sample, or nothing is known of it.
 */
export type CoverageState = Int32Array;

export const noCoverage: CoverageState = new Int32Array();

const signed = (zigzag: number): number => (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2);
const zigzagOf = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** Of one run at most: three numbers of five bytes. */
const bytesARun = 15;

/**
 * Bytes for the database. Numbers that were given one after the other, as those of a package, take a few bytes
 * together.
 */
export function encodeState(state: CoverageState): Uint8Array {
  const bytes = new Uint8Array((state.length / 2) * bytesARun);
  let length = 0;
  const write = (value: number): void => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) + 128;
    bytes[length++] = rest;
  };
  let [rule, look] = [0, 0];
  for (let at = 0; at < state.length;) {
    let end = at + 2;
    while (end < state.length && isNext(state, end)) end += 2;
    write((state[at] ?? 0) - rule);
    write(zigzagOf((state[at + 1] ?? 0) - look));
    write((end - at) / 2);
    rule = (state[end - 2] ?? 0) + 1;
    look = (state[end - 1] ?? 0) + 1;
    at = end;
  }
  return bytes.slice(0, length);
}

const isNext = (state: CoverageState, at: number): boolean =>
  state[at] === (state[at - 2] ?? 0) + 1 && state[at + 1] === (state[at - 1] ?? 0) + 1;

/** More rules than any workspace ever had: such a state is damaged. */
const mostPairs = 10_000_000;

/** What cannot be read counts as nothing: the samples are looked at again. */
export function decodeState(bytes: Uint8Array): CoverageState {
  const runs = runsIn(bytes);
  let pairs = 0;
  for (let at = 2; at < runs.length; at += 3) pairs += runs[at] ?? 0;
  if (runs.length % 3 !== 0 || !(pairs <= mostPairs)) return noCoverage;
  const state = new Int32Array(2 * pairs);
  let [rule, look, to] = [0, 0, 0];
  for (let at = 0; at < runs.length; at += 3) {
    rule += runs[at] ?? 0;
    look += signed(runs[at + 1] ?? 0);
    for (let length = runs[at + 2] ?? 0; length > 0; length -= 1) {
      state[to++] = rule++;
      state[to++] = look++;
    }
  }
  return state;
}

/** For each run the steps to its rule and to its form of the rule, and its length. */
function runsIn(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let [value, factor] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    numbers.push(value);
    value = 0;
    factor = 1;
  }
  return factor === 1 ? numbers : [Number.NaN];
}

/** What samples in `old` have when these rules looked at them. `isKept`: whether a rule still means something. */
export function stateAfter(old: CoverageState, looks: CoverageState, isKept: (rule: number) => boolean): CoverageState {
  const numbers = new Int32Array(old.length + looks.length);
  let [length, next] = [0, 0];
  const put = (rule: number, look: number): void => {
    numbers[length++] = rule;
    numbers[length++] = look;
  };
  for (let at = 0; at < old.length; at += 2) {
    const rule = old[at] ?? 0;
    for (; next < looks.length && (looks[next] ?? 0) < rule; next += 2) put(looks[next] ?? 0, looks[next + 1] ?? 0);
    if (looks[next] !== rule && isKept(rule)) put(rule, old[at + 1] ?? 0);
  }
  for (; next < looks.length; next += 2) put(looks[next] ?? 0, looks[next + 1] ?? 0);
  return numbers.slice(0, length);
}
