import { Search } from 'lucide-react';
import {
  type ChangeEvent,
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { KeyCap } from '../../components/key-cap.tsx';
import { onOneLine } from '../../features/lookup/hash-text.ts';
import { focusDrawn, focusLanding } from '../../keyboard/focus.ts';
import { keys, spokenKeys } from '../../keyboard/keys.ts';
import { type Command, usePaletteContext } from '../../state/commands.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useRested } from '../../state/pacing.ts';
import { useLatest } from '../../state/presence.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import styles from '../command-bar.module.css';
import { isForLookUp, useLookUp } from './navigation-commands.ts';
import { type ChosenCommand, type PaletteChoices, type TypedText, usePaletteChoices } from './palette-choices.ts';
import { optionId, PaletteCount, PaletteList } from './palette-list.tsx';
import { text } from './strings.ts';

/** A search begins when the typing rests. */
const restMs = 120;

/** A hash, a sample or a command from any view. What was pasted whole and can be looked up is looked up at once. */
export function CommandField() {
  const [chosen, setChosen] = useState<ChosenCommand | null>(null);
  // Only the open palette knows the choices: they are not computed for a closed one.
  const choices = useRef<PaletteChoices>(null);
  const [offer, setOffer] = useState<Offer | null>(null);
  const id = useId();
  const { input, isOpen, typed, rested, onChoose, field } = useCommandInput(choices);
  return (
    <form role="search" className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <Search className={classNames(layout.above, styles.icon)} size={16} strokeWidth={1.6} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        role="combobox"
        className={classNames(surface.input, styles.field)}
        value={typed}
        placeholder={text.label}
        aria-label={text.label}
        aria-keyshortcuts={spokenKeys(keys.global.palette.keys)}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={
          offer === null || offer.active === null ? undefined : optionId(`${id}-list`, offer.active)
        }
        autoComplete="off"
        spellCheck={false}
        {...field}
      />
      <span className={classNames(layout.row, layout.above, styles.hint)}>
        <KeyCap>{keys.global.palette.keys}</KeyCap>
      </span>
      {isOpen && (
        <OpenPalette
          ref={choices}
          id={`${id}-list`}
          typed={typed.trim()}
          rested={rested}
          chosen={chosen}
          onChosen={setChosen}
          onOffer={setOffer}
          onChoose={onChoose}
        />
      )}
      <PaletteCount count={offer?.count ?? null} />
    </form>
  );
}

/** What is typed, and what keys and the clipboard do in the field. */
function useCommandInput(choices: RefObject<PaletteChoices | null>) {
  const { store, recent } = usePaletteContext();
  const isOpen = useSyncExternalStore(store.subscribe, store.isOpen);
  const [typed, setTyped] = useState('');
  const rested = useRested(typed.trim(), restMs);
  const input = useRef<HTMLInputElement>(null);
  const before = useFocusBefore();
  const { currentView } = useNavigation();
  const lookUp = useLookUp();
  useEffect(() => {
    // A person typing there is not disturbed.
    if (!isOpen || document.activeElement === input.current) return;
    input.current?.focus();
    input.current?.select();
  }, [isOpen]);

  const leave = (): void => {
    setTyped('');
    store.close();
  };
  const choose = (command: Command): void => {
    leave();
    if (command.leadsTo === undefined) before.giveBack();
    else before.letGo(command.leadsTo === currentView);
    if (command.isOfText !== true) void recent.remember(command.id);
    command.run();
  };
  const onChoose = useLatest(choose);
  const onEscape = (event: KeyboardEvent): void => {
    event.preventDefault();
    if (typed !== '') return setTyped('');
    leave();
    before.giveBack();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = { choices: choices.current, open: store.open, choose };
    if (!event.nativeEvent.isComposing && takeKey(event.key, target)) event.preventDefault();
    if (event.key === 'Escape') onEscape(event);
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const pasted = onOneLine(event.clipboardData.getData('text'));
    if (selectionStart !== 0 || selectionEnd !== value.length || !isForLookUp(pasted)) return;
    event.preventDefault();
    leave();
    lookUp(pasted);
  };
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    setTyped(event.target.value);
    store.open();
  };
  const onBlur = (): void => {
    // Another window is no other place in this one.
    if (document.hasFocus()) store.close();
  };
  const field = { onFocus: before.note, onBlur, onClick: store.open, onChange, onPaste, onKeyDown };
  return { input, isOpen, typed, rested, onChoose, field };
}

interface KeyTarget {
  /** null: the list is closed. */
  choices: PaletteChoices | null;
  open(): void;
  choose(command: Command): void;
}

/** @returns whether the key was for the list */
function takeKey(key: string, { choices, open, choose }: KeyTarget): boolean {
  if (choices === null) {
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return false;
    open();
    return true;
  }
  switch (key) {
    case 'ArrowDown':
      choices.move(1);
      return true;
    case 'ArrowUp':
      choices.move(-1);
      return true;
    case 'Home':
      choices.moveTo('first');
      return true;
    case 'End':
      choices.moveTo('last');
      return true;
    case 'Enter': {
      const command = choices.active === null ? undefined : choices.commands[choices.active];
      if (command) choose(command);
      return true;
    }
    default:
      return false;
  }
}

/** What the field shows of the list below it. */
interface Offer {
  active: number | null;
  /** How much there is to choose from. */
  count: number;
}

interface OpenPaletteProps extends TypedText {
  /** The choices as they are drawn, for the keys of the field. */
  ref: Ref<PaletteChoices>;
  id: string;
  chosen: ChosenCommand | null;
  onChosen(chosen: ChosenCommand): void;
  /** null: the list is gone. */
  onOffer(offer: Offer | null): void;
  onChoose(command: Command): void;
}

/**
 * The list of the palette, drawn only while it is open: what it offers is asked for and put together from nearly
 * everything.
 */
function Palette({ ref, id, typed, rested, chosen, onChosen, onOffer, onChoose }: OpenPaletteProps) {
  const choices = usePaletteChoices({ typed, rested }, chosen, onChosen);
  useImperativeHandle(ref, () => choices);
  const {
    active,
    commands: { length: count },
  } = choices;
  useLayoutEffect(() => {
    onOffer({ active, count });
    return () => onOffer(null);
  }, [active, count, onOffer]);
  return <PaletteList id={id} choices={choices} onChoose={onChoose} />;
}

const OpenPalette = memo(Palette);

interface FocusBefore {
  note(event: FocusEvent): void;
  /** Returns the focus to where it was before; nothing has it if that is gone. */
  giveBack(): void;
  /** Releases the focus: the next view takes it. A view that is already shown takes it now. */
  letGo(isShown: boolean): void;
}

/** Where the focus was before the field of the palette had it. */
function useFocusBefore(): FocusBefore {
  const before = useRef<HTMLElement | null>(null);
  const letGo = (isShown: boolean): void => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const main = document.querySelector('main');
    if (isShown && main !== null && !focusLanding(main)) focusDrawn(main);
  };
  return {
    note: ({ relatedTarget }) => {
      before.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
    },
    giveBack: () => {
      letGo(false);
      if (before.current?.isConnected === true) focusDrawn(before.current, { preventScroll: true });
    },
    letGo,
  };
}
