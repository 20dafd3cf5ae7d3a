import type { Json } from '../../../shared/domain/sample.ts';

/**
 * Readers of one value each. They give the value in its right type, null when the service said "nothing", and undefined
 * when they do not understand it, so that it can be kept as it came.
 */
export type ValueReader<T> = (value: Json) => T | null | undefined;

export const readText: ValueReader<string> = (value) => {
  if (value === null || value === '') return null;
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
};

export const readCount: ValueReader<number> = (value) => {
  if (value === null || value === '') return null;
  const number = typeof value === 'string' && /^\s*\d{1,16}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

export const readFlag: ValueReader<boolean> = (value) => {
  if (value === null || value === '') return null;
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  if (['1', 'true', 'yes'].includes(word)) return true;
  return ['0', 'false', 'no'].includes(word) ? false : undefined;
};

/** A hash of exactly that many hex digits, lower case. */
export function readHash(length: number): ValueReader<string> {
  return (value) => {
    if (value === null || value === '') return null;
    if (typeof value !== 'string') return undefined;
    const hash = value.trim().toLowerCase();
    return hash.length === length && /^[0-9a-f]+$/.test(hash) ? hash : undefined;
  };
}

/** A reader of codes, which services send as numbers or as texts. */
export function readCode<T>(codes: ReadonlyMap<string, T>): ValueReader<T> {
  return (value) => {
    if (value === null || value === '') return null;
    return typeof value === 'string' || typeof value === 'number'
      ? codes.get(String(value).trim().toLowerCase())
      : undefined;
  };
}
