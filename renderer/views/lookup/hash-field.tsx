import { Search } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import { readHashText, onOneLine } from '../../app/hash-text.ts';
import { lookupFieldId, useLookupDesk } from '../../app/lookup-desk.tsx';
import { isBehindOverlay } from '../../app/open-overlay.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import styles from './lookup.module.css';
import { text } from './text.ts';
import { useCutSides } from './use-cut-sides.ts';

/**
 * One field for a hash or any text with hashes. Enter asks; so does pasting into it when it is empty or all selected.
 */
export function HashField() {
  const desk = useLookupDesk();
  const kindId = useId();
  const field = useRef<HTMLInputElement>(null);
  // It is what this view is for, and nothing comes before it.
  useLayoutEffect(() => {
    if (field.current !== null && !isBehindOverlay(field.current)) field.current.focus();
  }, []);
  const noteCut = useCutSides(field);
  const verdict = readHashText(desk.text);
  const kind =
    verdict.kind === 'one'
      ? text.kinds[verdict.hash.kind]
      : verdict.kind === 'several'
        ? text.severalKind(verdict.found.length)
        : null;
  return (
    <form
      role="search"
      aria-label={text.title}
      className={classNames(styles.form, desk.state.kind === 'found' && styles.answered)}
      onSubmit={(event) => {
        event.preventDefault();
        desk.ask(desk.text);
      }}
    >
      <Search className={classNames(layout.above, styles.fieldIcon)} size={16} strokeWidth={1.6} aria-hidden="true" />
      <input
        ref={field}
        id={lookupFieldId}
        data-query
        type="text"
        className={classNames(surface.input, styles.field, verdict.kind === 'several' && styles.several)}
        value={desk.text}
        placeholder={text.placeholder}
        aria-label={text.field}
        aria-describedby={kindId}
        aria-invalid={desk.state.kind === 'no-hash'}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => desk.setText(event.target.value)}
        onPaste={(event) => {
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          if (selectionStart !== 0 || selectionEnd !== value.length) return;
          event.preventDefault();
          desk.ask(onOneLine(event.clipboardData.getData('text')));
        }}
        onScroll={noteCut}
        onKeyDown={(event) => event.key === 'Escape' && desk.setText('')}
      />
      <span className={classNames(layout.above, styles.cutStart)} aria-hidden="true">
        …
      </span>
      <span className={classNames(layout.above, styles.cutEnd)} aria-hidden="true">
        …
      </span>
      <span id={kindId} className={classNames(layout.above, typography.hint, styles.kind)}>
        {kind}
      </span>
    </form>
  );
}
