import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';

/** Where a string of a rule matched. */
export interface EngineMatch {
  /** As `$a`. */
  identifier: string;
  offset: number;
  length: number;
}

/** A rule that holds for what was scanned. Neither private rules nor private strings are reported. */
export interface EngineHit {
  rule: string;
  matches: EngineMatch[];
}

/** Texts of variables by name, for one scan. */
export type VariableTexts = Readonly<Record<string, string>>;

/** Rules as an engine compiled them. Each scan blocks its thread for as long as it takes, which may be for ever. */
export interface CompiledRules {
  /** Whether a scan can be given these texts. One that can may still be refused. */
  takes(variables: VariableTexts): boolean;
  /** Of one string in one file, from now on; before that `mostMatchesCounted`. */
  limitMatches(most: number): void;
  /**
   * `variables`: texts of those that were defined as texts when the rules were compiled; the others are what they were
   * defined as.
   * @throws RefusedValueError; and what the engine throws, after which it is not to be used again
   */
  scan(bytes: Uint8Array, variables: VariableTexts): EngineHit[];
}

/** An engine that was loaded into this thread. */
export interface ScanEngine {
  /** @throws RefusedRulesError */
  compile(source: string, variables: readonly RuleVariable[]): CompiledRules;
  /** Frees the memory of rules that are no longer referenced, where the engine can. */
  collect(): void;
}

/** The rules do not compile. */
export class RefusedRulesError extends Error {
  override readonly name = 'RefusedRulesError';
}

/** The engine cannot be given the text of a variable. The file was not scanned, and the engine is as it was. */
export class RefusedValueError extends Error {
  override readonly name = 'RefusedValueError';
}

/** Of one string in one file; there the engine stops counting. */
export const mostMatchesCounted = 100_000;

/** As a failure names them. */
export const engineNames: Readonly<Record<LocalEngine, string>> = {
  native: 'YARA-X (native)',
  wasm: 'YARA-X (portable)',
};

/** The engines that scan here, as coverage names them. Another version may find something else in the same bytes. */
export const engineVersions: Readonly<Record<LocalEngine, string>> = {
  native: '@litko/yara-x 0.3.0',
  wasm: '@virustotal/yara-x 1.20.0',
};

/** YARA-X's report of one fault in a source, or its warning. */
export interface EngineError {
  /** As `E009`, of a warning `slow_pattern`. */
  code: string;
  /** One-based, in the source that was added; null when it does not say. */
  line: number | null;
  /** In the engine's words on one line, without text of the source; at most 300 characters. */
  text: string;
}

const mostCharacters = 300;
/** Of a message: the engine cuts long lines, and the places it points to come first. */
const mostRead = 20_000;
/** A whole message of the engine begins so; what does not is no verdict on a source. */
const head = /^error\[(\w+)\]: (.*)/;
const place = /^ *--> (?:[^\n]*?:)?(\d+):\d+$/m;
/** Words under the place it points to. Lines that quote the source begin with their number, these do not. */
const label = /^ *\|.*?\^+ (?=[^\s^-])(.+)$/m;
const note = /^ *= note: (.+)$/m;

const warningHead = /^warning\[(\w+)\]: (.*)/;
const warningLabel = /^ *\|.*?-+ (?=[^\s^-])(.+)$/m;

/** What the engine warns of. @returns null when it is not how the engine warns */
export const readEngineWarning = (whole: string): EngineError | null => readMessage(whole, warningHead, warningLabel);

/** @returns null when it is not how the engine reports a fault: it is a defect, or the end of the engine */
export const readEngineError = (whole: string): EngineError | null => readMessage(whole, head, label);

function readMessage(whole: string, first: RegExp, underPlace: RegExp): EngineError | null {
  const message = whole.slice(0, mostRead);
  const [, code, title] = first.exec(message) ?? [];
  if (code === undefined || title === undefined) return null;
  const line = place.exec(message)?.[1];
  const words = [title, underPlace.exec(message)?.[1], note.exec(message)?.[1]]
    .filter((part) => part !== undefined)
    .map(withoutSource);
  return { code, line: line === undefined ? null : Number(line), text: onOneLine(words.join(': ')) };
}

/**
 * Names, keywords and single signs may be quoted. A longer quotation could be a text that a scanner for viruses knows.
 */
const harmless = /^(?:[$#@!]?\w{0,64}|[^\w"]{1,2}|import "\w{1,64}")$/;

function withoutSource(words: string): string {
  // The found text comes last, and may hold the sign that quotes it.
  const [, before = words, found] = /^(.*?found) (`.*)$/s.exec(words) ?? [];
  const shown = before.replaceAll(/`([^`]*)`/g, (whole, quoted: string) => (harmless.test(quoted) ? whole : '`…`'));
  if (found === undefined) return shown;
  return harmless.test(found.slice(1, -1)) ? `${shown} ${found}` : `${shown} something else`;
}

function onOneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters - 1).replace(/\p{Cs}$/u, '')}…` : line;
}
