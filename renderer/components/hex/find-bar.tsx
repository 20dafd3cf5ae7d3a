import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { failureWords } from '../failure-words.ts';
import { Button, IconButton } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { useLate } from '../use-late.ts';
import { type FindForm, readPattern } from './find-pattern.ts';
import styles from './hex-view.module.css';
import { shortOffset } from './offsets.ts';
import { text } from './text.ts';
import type { SearchState } from './use-byte-search.ts';

export interface FindBarProps {
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
      return failureWords(state.failure).what;
  }
}
