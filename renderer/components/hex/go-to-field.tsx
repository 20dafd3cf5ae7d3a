import { type RefObject, useId, useState } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { shortOffset, within } from './hex-mark.ts';
import styles from './hex-view.module.css';
import { text } from './strings.ts';

interface GoToFieldProps {
  field: RefObject<HTMLInputElement | null>;
  cursor: number;
  sizeBytes: number;
  onGoTo(offset: number): void;
  /** Escape. */
  onLeave(): void;
}

const longest = 40;

/** Shows the position of the cursor, and moves it. */
export function GoToField({ field, cursor, sizeBytes, onGoTo, onLeave }: GoToFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const leave = (): void => {
    setTyped(null);
    setProblem(null);
  };
  const go = (): void => {
    const led = readGoTo(typed ?? shortOffset(cursor), { cursor, sizeBytes });
    if (led.kind !== 'offset')
      return setProblem(led.kind === 'beyond' ? text.beyond(shortOffset(sizeBytes - 1)) : text.notAnOffset);
    leave();
    onGoTo(led.offset);
  };
  return (
    <>
      <label className={classNames(layout.row8, surface.input, styles.goTo, problem !== null && styles.wrong)}>
        <span>{text.goTo}</span>
        <input
          ref={field}
          type="text"
          value={typed ?? shortOffset(cursor)}
          maxLength={longest}
          aria-label={text.goToLabel}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : id}
          autoComplete="off"
          spellCheck={false}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => {
            setTyped(target.value);
            setProblem(null);
          }}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key === 'Enter') go();
            else if (event.key === 'Escape') {
              leave();
              onLeave();
            } else return;
            event.preventDefault();
          }}
        />
      </label>
      {problem !== null && (
        <span id={id} role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </>
  );
}

type GoTo = { kind: 'offset'; offset: number } | { kind: 'not-understood' } | { kind: 'beyond' };

const grouped = /^\d{1,3}(?:,\d{3})+$/;
const share = /^(\d{1,3}(?:\.\d{1,6})?)\s*%$/;
const hexadecimal = /^([+-]?)\s*(?:0x)?([0-9a-f]{1,16})h?$/i;

/**
 * Where a text leads: an offset as hexadecimal digits (`0xbd21a`, `bd21a`, `bd21ah`), a way from the cursor (`+0x10`,
 * `-10`), a count of bytes with its commas (`774,682`), or a share of the file (`25 %`).
 */
export function readGoTo(entered: string, { cursor, sizeBytes }: { cursor: number; sizeBytes: number }): GoTo {
  const typed = entered.trim();
  const percent = share.exec(typed);
  if (percent !== null)
    return Number(percent[1]) <= 100
      ? { kind: 'offset', offset: within(Math.floor((Number(percent[1]) / 100) * sizeBytes), sizeBytes) }
      : { kind: 'beyond' };
  if (grouped.test(typed)) return inFile(Number(typed.replaceAll(',', '')), sizeBytes);
  const digits = hexadecimal.exec(typed);
  if (digits === null) return { kind: 'not-understood' };
  const number = Number.parseInt(digits[2] ?? '', 16);
  if (digits[1] === '+') return inFile(cursor + number, sizeBytes);
  return inFile(digits[1] === '-' ? cursor - number : number, sizeBytes);
}

const inFile = (offset: number, sizeBytes: number): GoTo =>
  offset >= 0 && offset < sizeBytes ? { kind: 'offset', offset } : { kind: 'beyond' };
