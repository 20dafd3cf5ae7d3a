import { type ClipboardEvent, type ComponentProps, type DragEvent, useState } from 'react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './limited-text-area.module.css';

/** From so many characters before the limit on it is in sight. */
const near = 10_000;

interface LimitMessages {
  /** How many characters still fit. */
  left(count: number): string;
  /** How many a text has over the limit that was written elsewhere. */
  tooMany(count: number): string;
  /** How many it would have become. */
  refused(count: number): string;
}

interface LimitedTextAreaProps extends Pick<
  ComponentProps<'textarea'>,
  'ref' | 'placeholder' | 'disabled' | 'readOnly' | 'aria-label' | 'aria-keyshortcuts' | 'onFocus' | 'onBlur'
> {
  id: string;
  value: string;
  /** How many characters it takes. */
  longest: number;
  words: LimitMessages;
  onWrite(value: string): void;
  /** Limits its height. */
  className: string | undefined;
}

/**
 * A text over the limit is refused in words before it is in the field: nothing is cut, and no paste is too large for
 * the page.
 */
export function LimitedTextArea({ id, value, longest, words, onWrite, className, ...rest }: LimitedTextAreaProps) {
  const [refused, setRefused] = useState<number | null>(null);
  const { length } = value;
  const fits = (total: number): boolean => {
    const isFine = total <= longest || total <= length;
    setRefused(isFine ? null : total);
    return isFine;
  };
  const onInsert = (
    event: ClipboardEvent<HTMLTextAreaElement> | DragEvent<HTMLTextAreaElement>,
    inserted: string,
  ): void => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (!fits(length - (selectionEnd - selectionStart) + inserted.length)) event.preventDefault();
  };
  return (
    <>
      <textarea
        {...rest}
        id={id}
        className={classNames(styles.field, className)}
        rows={3}
        dir={directionOf(value)}
        value={value}
        aria-describedby={`${id}-limit`}
        onChange={({ target }) => fits(target.value.length) && onWrite(target.value)}
        onPaste={(event) => onInsert(event, event.clipboardData.getData('text/plain'))}
        onDrop={(event) => onInsert(event, event.dataTransfer.getData('text/plain'))}
      />
      <p
        id={`${id}-limit`}
        className={classNames(typography.hint, layout.fixed, styles.limit)}
        role="status"
        data-figures
      >
        {refused !== null && <span className={typography.bad}>{words.refused(refused)}</span>}
        {refused === null && length > longest && (
          <span className={typography.bad}>{words.tooMany(length - longest)}</span>
        )}
      </p>
      {length > longest - near && length <= longest && (
        <p className={classNames(typography.hint, layout.fixed, styles.limit)} data-figures>
          {words.left(longest - length)}
        </p>
      )}
    </>
  );
}

const letter = /\p{L}/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * By the first letter, as `dir="auto"` does; the browser would read a text of 100,000 characters again at each
 * keystroke.
 */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [first = ''] = letter.exec(text) ?? [];
  return rightToLeft.test(first) ? 'rtl' : 'ltr';
}
