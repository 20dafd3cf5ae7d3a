import { Search } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { KeyCap } from '../components/key-cap.tsx';
import styles from './command-bar.module.css';
import { onOneLine } from './hash-text.ts';
import { useNavigation } from './navigation.tsx';
import type { Command } from './palette/commands.ts';
import { optionId, PaletteCount, PaletteList } from './palette/palette-list.tsx';
import { usePaletteContext } from './palette/palette-provider.tsx';
import { text } from './palette/text.ts';
import { useFocusBefore } from './palette/use-focus-before.ts';
import { type PaletteChoices, usePaletteChoices } from './palette/use-palette.ts';
import { isForLookUp, useLookUp } from './palette/use-typed-commands.ts';

/** A hash, a sample or a command from any room. What was pasted whole and can be looked up is looked up at once. */
export function CommandField() {
  const { desk, recent } = usePaletteContext();
  const isOpen = useSyncExternalStore(desk.subscribe, desk.isOpen);
  const [typed, setTyped] = useState('');
  const choices = usePaletteChoices(isOpen, typed.trim());
  const input = useRef<HTMLInputElement>(null);
  const before = useFocusBefore();
  const { room } = useNavigation();
  const lookUp = useLookUp();
  const id = useId();
  useEffect(() => {
    // Who types there already goes on.
    if (!isOpen || document.activeElement === input.current) return;
    input.current?.focus();
    input.current?.select();
  }, [isOpen]);

  const leave = (): void => {
    setTyped('');
    desk.close();
  };
  const choose = (command: Command): void => {
    leave();
    if (command.leadsTo === undefined) before.giveBack();
    else before.letGo(command.leadsTo === room);
    if (command.isOfText !== true) void recent.remember(command.id);
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !takeKey(event.key, { isOpen, choices, open: desk.open, choose })) return;
    event.preventDefault();
  };
  const onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (typed !== '') return setTyped('');
    leave();
    before.giveBack();
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const pasted = onOneLine(event.clipboardData.getData('text'));
    if (selectionStart !== 0 || selectionEnd !== value.length || !isForLookUp(pasted)) return;
    event.preventDefault();
    leave();
    lookUp(pasted);
  };
  return (
    <form role="search" className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <Search className={styles.icon} size={16} strokeWidth={1.6} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        role="combobox"
        className={styles.field}
        value={typed}
        placeholder={text.label}
        aria-label={text.label}
        aria-keyshortcuts="Control+K"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={choices.active === null ? undefined : optionId(`${id}-list`, choices.active)}
        autoComplete="off"
        spellCheck={false}
        onFocus={before.note}
        // Another window is no other place in this one.
        onBlur={() => document.hasFocus() && desk.close()}
        onClick={desk.open}
        onChange={(event) => {
          setTyped(event.target.value);
          desk.open();
        }}
        onPaste={onPaste}
        onKeyDown={(event) => {
          onKeyDown(event);
          onEscape(event);
        }}
      />
      <span className={styles.hint}><KeyCap>{text.key}</KeyCap></span>
      {isOpen && <PaletteList id={`${id}-list`} choices={choices} onChoose={choose} />}
      <PaletteCount count={isOpen ? choices.commands.length : null} />
    </form>
  );
}

interface KeyTarget {
  isOpen: boolean;
  choices: PaletteChoices;
  open(): void;
  choose(command: Command): void;
}

/** @returns whether the key was for the list */
function takeKey(key: string, { isOpen, choices, open, choose }: KeyTarget): boolean {
  if (!isOpen) {
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return false;
    open();
    return true;
  }
  switch (key) {
    case 'ArrowDown': choices.move(1); return true;
    case 'ArrowUp': choices.move(-1); return true;
    case 'Home': choices.moveTo('first'); return true;
    case 'End': choices.moveTo('last'); return true;
    case 'Enter': {
      const command = choices.active === null ? undefined : choices.commands[choices.active];
      if (command) choose(command);
      return true;
    }
    default: return false;
  }
}
