import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { BytePattern, ByteSource } from '../../../shared/domain/byte-view.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { Button, IconButton } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { describeFailure } from '../failure-format.ts';
import { useLate } from '../use-late.ts';
import type { BytePlace } from './byte-pages.ts';
import { shortOffset } from './hex-mark.ts';
import styles from './hex-view.module.css';
import { text } from './strings.ts';

interface FindBarProps {
  field: RefObject<HTMLInputElement | null>;
  form: FindForm;
  onForm(form: FindForm): void;
  state: SearchState;
  onFind(backwards: boolean): void;
  onClose(): void;
}

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;
/** Of a text that is longer than the host looks for it is said that it is. */
const longest = 2000;

export function FindBar({ field, form, onForm, state, onFind, onClose }: FindBarProps) {
  const id = useId();
  const isText = form.as === 'text';
  const problem = problemOf(form);
  const isLate = useLate(state.kind === 'busy');
  return (
    <div role="search" className={classNames(layout.row8, layout.top, styles.find)} aria-label={text.find}>
      <select
        className={classNames(surface.input, styles.select)}
        aria-label={text.findAs}
        value={form.as}
        onChange={({ target }) => onForm({ ...form, as: target.value === 'hex' ? 'hex' : 'text' })}
      >
        <option value="text">{text.findText}</option>
        <option value="hex">{text.findHex}</option>
      </select>
      <input
        ref={field}
        type="text"
        className={classNames(surface.input, styles.field)}
        value={form.typed}
        maxLength={longest}
        placeholder={isText ? text.textHint : text.hexHint}
        aria-label={text.find}
        aria-invalid={problem !== null}
        aria-describedby={id}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onForm({ ...form, typed: target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onFind(event.shiftKey);
        }}
      />
      <span className={styles.small}>
        <Button size="small" aria-label={text.findBefore} onPress={() => onFind(true)}>
          <ChevronUp {...icon} />
        </Button>
      </span>
      <span className={styles.small}>
        <Button size="small" aria-label={text.findNext} onPress={() => onFind(false)}>
          <ChevronDown {...icon} />
        </Button>
      </span>
      {isText && (
        <Checkbox isSelected={form.isWide} onChange={(isWide) => onForm({ ...form, isWide })}>
          {text.wide}
        </Checkbox>
      )}
      {isText && (
        <Checkbox isSelected={form.anyCase} onChange={(anyCase) => onForm({ ...form, anyCase })}>
          {text.anyCase}
        </Checkbox>
      )}
      <span id={id} role="status" className={problem === null ? styles.said : styles.problem}>
        {problem ?? saidOf(state, isLate)}
      </span>
      <IconButton label={text.closeFind} onPress={onClose}>
        <X {...icon} />
      </IconButton>
    </div>
  );
}

function problemOf(form: FindForm): string | null {
  const { kind } = readPattern(form);
  if (kind === 'too-long') return text.tooLong;
  return kind === 'not-hex' ? text.notHex : null;
}

function saidOf(state: SearchState, isLate: boolean): string {
  switch (state.kind) {
    case 'idle':
      return '';
    case 'busy':
      return isLate ? text.searching : '';
    case 'found':
      return text.foundAt(shortOffset(state.offset));
    case 'none':
      return state.backwards ? text.noneToBeginning : text.noneToEnd;
    case 'stopped':
      return text.stopped;
    default:
      return describeFailure(state.failure).what;
  }
}

export interface FindForm {
  typed: string;
  as: 'text' | 'hex';
  /** Text: two bytes a character, as Windows has it. */
  isWide: boolean;
  /** Text: letters in either case. */
  anyCase: boolean;
}

export const emptyForm: FindForm = { typed: '', as: 'text', isWide: false, anyCase: false };

type ReadPattern =
  { kind: 'pattern'; pattern: BytePattern } | { kind: 'nothing' } | { kind: 'not-hex' } | { kind: 'too-long' };

const mostBytes = 256;

/**
 * Hexadecimal digits may be written as a rule, a program or a dump has them: `5a 1c`, `5a1c`, `0x5a, 0x1c`, `\x5a\x1c`,
 * `{ 5a 1c }`.
 */
export function readPattern({ typed, as, isWide, anyCase }: FindForm): ReadPattern {
  if (typed.trim() === '') return { kind: 'nothing' };
  const hex = as === 'hex' ? digitsOf(typed) : digitsOfText(typed, isWide);
  if (hex === null) return { kind: 'not-hex' };
  if (hex.length > mostBytes * 2) return { kind: 'too-long' };
  return { kind: 'pattern', pattern: { hex, anyCase: as === 'text' && anyCase } };
}

function digitsOf(typed: string): string | null {
  const digits = typed.toLowerCase().replaceAll(/0x|\\x|[\s,;:{}-]/g, '');
  return digits.length > 0 && digits.length % 2 === 0 && /^[0-9a-f]+$/.test(digits) ? digits : null;
}

function digitsOfText(typed: string, isWide: boolean): string {
  const bytes = isWide
    ? Array.from({ length: typed.length }, (_, at) => typed.charCodeAt(at)).flatMap((code) => [
        code % 256,
        Math.floor(code / 256),
      ])
    : [...new TextEncoder().encode(typed)];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Finding {
  isOpen: boolean;
  field: RefObject<HTMLInputElement | null>;
  form: FindForm;
  state: SearchState;
  open(): void;
  close(): void;
  setForm(form: FindForm): void;
  /** From the cursor on; over the end of the file when there was none up to there. */
  find(backwards: boolean): void;
  stop(): boolean;
}

/** The search bar of a view. What was found is selected, and shown by `show`. */
export function useFinding(
  source: ByteSource,
  sizeBytes: number,
  { place, show }: { place: BytePlace; show(offset: number): void },
): Finding {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [form, setForm] = useState(emptyForm);
  const search = useByteSearch(source, (offset, length) => {
    place.select(offset, length);
    show(offset);
  });
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  const find = (backwards: boolean): void => {
    const read = readPattern(form);
    if (!isOpen) setOpen(true);
    if (read.kind === 'pattern')
      search.run({ pattern: read.pattern, backwards, from: beginAt(search.state, place, { backwards, sizeBytes }) });
  };
  return {
    isOpen,
    field,
    form,
    find,
    state: search.state,
    open: () => {
      setOpen(true);
      field.current?.select();
      field.current?.focus();
    },
    close: () => {
      search.forget();
      setOpen(false);
    },
    setForm: (changed) => {
      search.forget();
      setForm(changed);
    },
    stop: search.stop,
  };
}

function beginAt(
  state: SearchState,
  { cursor, selected }: BytePlace,
  { backwards, sizeBytes }: { backwards: boolean; sizeBytes: number },
): number {
  if (state.kind === 'none' && state.backwards === backwards) return backwards ? sizeBytes : 0;
  const start = selected?.start ?? cursor;
  const isThere = state.kind === 'found' && state.offset === start;
  return isThere && !backwards ? start + 1 : start;
}

type SearchState =
  | { kind: 'idle' }
  | { kind: 'busy' }
  | { kind: 'found'; offset: number }
  /** None in that direction. */
  | { kind: 'none'; backwards: boolean }
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: Failure };

interface SearchOrder {
  pattern: BytePattern;
  from: number;
  backwards: boolean;
}

interface ByteSearch {
  state: SearchState;
  run(order: SearchOrder): void;
  /** False where nothing was being looked for. */
  stop(): boolean;
  forget(): void;
}

/** One search at a time: another one, leaving the file and Escape give it up. */
function useByteSearch(source: ByteSource, onFound: (offset: number, length: number) => void): ByteSearch {
  const bridge = useBridge();
  const [state, setState] = useState<SearchState>({ kind: 'idle' });
  const running = useRef<string | null>(null);
  const giveUp = (): boolean => {
    const search = running.current;
    running.current = null;
    if (search !== null) void bridge.call('bytes.stopFind', { search });
    return search !== null;
  };
  const leave = useEffectEvent(giveUp);
  useEffect(() => () => void leave(), []);
  const run = async ({ pattern, from, backwards }: SearchOrder): Promise<void> => {
    giveUp();
    const search = crypto.randomUUID();
    running.current = search;
    setState({ kind: 'busy' });
    const result = await bridge.call('bytes.find', { source, pattern, from, backwards, search });
    if (running.current !== search) return;
    running.current = null;
    if (!result.ok) return setState({ kind: 'failed', failure: result.failure });
    const { offset } = result.value;
    setState(offset === null ? { kind: 'none', backwards } : { kind: 'found', offset });
    if (offset !== null) onFound(offset, pattern.hex.length / 2);
  };
  return {
    state,
    run: (order) => void run(order),
    stop: () => {
      const wasBusy = giveUp();
      if (wasBusy) setState({ kind: 'stopped' });
      return wasBusy;
    },
    forget: () => {
      giveUp();
      setState({ kind: 'idle' });
    },
  };
}
