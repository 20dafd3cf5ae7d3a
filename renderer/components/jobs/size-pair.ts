import { sizeWords } from '../byte-words.ts';

/** `1.39 of 1.88 GiB`, and `980 KiB of 1.88 GiB` where the units differ. Input in bytes. */
export function sizePair(part: number, whole: number): string {
  const [one, all] = [sizeWords(part), sizeWords(whole)];
  const unit = unitOf(all);
  return `${unitOf(one) === unit ? one.slice(0, -unit.length) : one} of ${all}`;
}

const unitOf = (words: string): string => words.slice(words.lastIndexOf(' '));
