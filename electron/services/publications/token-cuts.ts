import { createHash } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import { redactedText, redactionFor } from '../../base/redaction.ts';
import type { TokenPlaces } from '../../storage/token-places.ts';

type Place = TokenPlaces['at'][number];

/** More of them nobody writes into rules by mistake, and all are kept. */
const placesAtMost = 10_000;
/** Escaped more than once, one character takes no more characters than this (redaction.ts). */
const longestFormOfUnit = 24;

/** Takes tokens out of the texts of one package: those that are known now, and those that stood where it was noted. */
export class TokenCuts {
  readonly #package: string;
  readonly #tokens: readonly string[];
  readonly #noted: ReadonlyMap<string, readonly Place[]>;
  readonly #made = new Map<string, Place[]>();
  #count = 0;

  constructor(packageSha256: string, tokens: readonly string[], noted: readonly TokenPlaces[]) {
    this.#package = packageSha256;
    this.#tokens = tokens;
    this.#noted = new Map(noted.map(({ sha256, at }) => [sha256, at]));
  }

  /** `bytes`: what the text is of, where these are not its UTF-8. @throws FailureError `package-unreadable` */
  text(text: string, bytes?: Uint8Array): string {
    const known = this.#noted.size === 0 ? [] : (this.#noted.get(sha256Of(bytes ?? text)) ?? []);
    const found = this.#tokens.flatMap((token) => redactionFor(token).placesInData(text));
    if (known.length + found.length === 0) return text;
    const places = apart([...known, ...found]);
    this.#keep(sha256Of(bytes ?? text), places);
    return redactedText(text, places);
  }

  /** Whether something may have to be taken out of a long text, as its pieces tell, which overlap by `overlap`. */
  mayCut(piece: string): boolean {
    return this.#noted.size > 0 || this.#tokens.some((token) => redactionFor(token).placesInData(piece).length > 0);
  }

  /** UTF-16 units that a token may take, in whatever form it is found. */
  get overlap(): number {
    return Math.max(0, ...this.#tokens.map(({ length }) => length)) * longestFormOfUnit;
  }

  /** All places of which something was taken. */
  made(): TokenPlaces[] {
    return [...this.#made].map(([sha256, at]) => ({ sha256, at }));
  }

  #keep(sha256: string, places: Place[]): void {
    this.#made.set(sha256, places);
    this.#count += places.length;
    if (this.#count > placesAtMost)
      fail({
        kind: 'package-unreadable',
        sha256: this.#package,
        text: 'It contains a token of this workspace too often.',
      });
  }
}

/** In order, those that touch each other as one. */
function apart(places: readonly Place[]): Place[] {
  const sorted = places.toSorted(([one], [other]) => one - other);
  const result: Place[] = [];
  for (const [from, length] of sorted) {
    const last = result.at(-1);
    if (last === undefined || from > last[0] + last[1]) result.push([from, length]);
    else last[1] = Math.max(last[1], from + length - last[0]);
  }
  return result;
}

const sha256Of = (of: string | Uint8Array): string => createHash('sha256').update(of).digest('hex');
