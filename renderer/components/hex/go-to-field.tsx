import { type RefObject, useId, useState } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { readGoTo } from './go-to.ts';
import styles from './hex-view.module.css';
import { shortOffset } from './offsets.ts';
import { text } from './text.ts';

export interface GoToFieldProps {
  field: RefObject<HTMLInputElement | null>;
  cursor: number;
  sizeBytes: number;
  onGoTo(offset: number): void;
  /** Escape. */
  onLeave(): void;
}

const longest = 40;

/** Says where the cursor is, and leads elsewhere. */
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
