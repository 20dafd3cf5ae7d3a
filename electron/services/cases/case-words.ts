import { defang } from '../../../shared/domain/defang.ts';
import { escaped } from '../../../shared/domain/sample-table.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { visibleLine, visibleText } from '../../../shared/domain/visible-text.ts';

const lineEnds = /\r\n?/g;
const otherLineEnds = /[\u2028\u2029]/g;

/** Untrusted text on one line, as another tool may take it: whole characters, none that is not seen. */
export const shownLine = (text: string): string => visibleLine(text.toWellFormed());

/** The same of several lines. */
export const shownText = (text: string): string => visibleText(text.toWellFormed().replaceAll(lineEnds, '\n'));

/** The same as a person reads it: no address in it can be followed. */
export const harmlessText = (text: string): string => shownText(defang(text));

/** JSON on one line in which nothing is hidden, and that is read back as it was. */
export const plainJson = (value: object): string => escaped(visibleText(JSON.stringify(value)), otherLineEnds);

export const isSaid = (text: string | null): text is string => text !== null && text.trim() !== '';

export const tlpName = (level: TlpLevel): string => `TLP:${level.toUpperCase()}`;

/** Of two times in UTC. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);
