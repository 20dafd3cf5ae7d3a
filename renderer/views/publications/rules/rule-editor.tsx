import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { longestTrial } from '../../../../shared/domain/rule-trial.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './rule-editor.module.css';
import { text } from './text.ts';

export interface RuleEditorProps {
  value: string;
  onChange(value: string): void;
  /** Ctrl Enter. */
  onRun(): void;
}

/**
 * A field for rules, with line numbers. Tab indents; after Escape it leads on, so that the keyboard is not held here.
 */
export function RuleEditor({ value, onChange, onRun }: RuleEditorProps) {
  const hint = useId();
  const numbers = useRef<HTMLDivElement>(null);
  const [tabLeaves, setTabLeaves] = useState(false);
  const lines = value.split('\n').length;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget } = event;
    if (key === 'Enter' && (ctrlKey || metaKey)) onRun();
    else if (key === 'Escape') setTabLeaves(true);
    else if (key === 'Tab' && !shiftKey && !ctrlKey && !altKey && !tabLeaves) indent(currentTarget, onChange);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div className={classNames(surface.input, styles.editor)}>
        <div ref={numbers} className={styles.numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, line) => line + 1).join('\n')}
        </div>
        <textarea
          className={classNames(layout.widest, styles.text)}
          dir="ltr"
          wrap="off"
          value={value}
          maxLength={longestTrial}
          aria-label={text.editor}
          aria-describedby={hint}
          aria-keyshortcuts="Control+Enter"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={({ target }) => onChange(target.value)}
          onScroll={({ currentTarget }) => numbers.current?.scrollTo({ top: currentTarget.scrollTop })}
          onKeyDown={onKeyDown}
          onFocus={() => setTabLeaves(false)}
        />
      </div>
      <p id={hint} className={classNames(typography.smallHint, layout.fixed)}>
        {text.editorKeys}
      </p>
    </>
  );
}

function indent(field: HTMLTextAreaElement, onChange: (value: string) => void): void {
  const { selectionStart: from } = field;
  field.setRangeText('    ', from, field.selectionEnd, 'end');
  onChange(field.value);
}
