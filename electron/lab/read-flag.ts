import { LabError } from './errors.ts';

const truth: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/** @throws LabError `bad-parameter` */
export function readFlag(text: string, name: string): boolean {
  const value = Object.hasOwn(truth, text) ? truth[text] : undefined;
  if (value === undefined) throw new LabError('bad-parameter', `"${name}" is "true" or "false".`);
  return value;
}
