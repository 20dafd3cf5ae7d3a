import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { type TlpLevel, tlpLevels } from '../../shared/domain/tag.ts';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import { words } from './format.ts';
import { FocusBack } from './menu.tsx';
import styles from './tlp-select.module.css';

interface TlpSelectProps {
  /** What it is the TLP of. */
  label: string;
  /** null: none. */
  level: TlpLevel | null;
  onChange(level: TlpLevel | null): void;
  isDisabled?: boolean;
  /** `row`: 24 pixels high. */
  size?: 'row' | 'normal';
  /** False: reached by other keys than Tab, as in a table. */
  isTabStop?: boolean;
}

const openingKeys = ['Enter', ' ', 'ArrowDown', 'ArrowUp'];
const none = 'none';
const choices = [none, ...tlpLevels].map((id) => ({ id, level: tlpLevels.find((level) => level === id) ?? null }));

/** The list is drawn when it is opened: a table has many of these, and one that is open. */
export function TlpSelect({
  label,
  level,
  onChange,
  isDisabled = false,
  size = 'normal',
  isTabStop = true,
}: TlpSelectProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const choose = (chosen: string): void => {
    const next = choices.find(({ id }) => id === chosen)?.level ?? null;
    setOpen(false);
    if (next !== level) onChange(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Taken here and not from the click they would make: the library takes that for a screen reader's, and waits with
    // the focus.
    if (!openingKeys.includes(event.key) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classNames(layout.inline4, styles.select, size === 'row' && styles.row)}
        aria-label={`${label}: ${formatLevel(level)}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        disabled={isDisabled}
        tabIndex={isTabStop ? 0 : -1}
        data-tlp-select
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      >
        <TlpLamp level={level} />
        <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
      </button>
      {isOpen && <LevelList label={label} level={level} button={button} onOpenChange={setOpen} onChoose={choose} />}
    </>
  );
}

interface LevelListProps extends Pick<TlpSelectProps, 'label' | 'level'> {
  /** What it hangs below. */
  button: RefObject<HTMLElement | null>;
  onOpenChange(isOpen: boolean): void;
  onChoose(id: string): void;
}

function LevelList({ label, level, button, onOpenChange, onChoose }: LevelListProps) {
  return (
    <Popover
      className={classNames(surface.popover, styles.popover)}
      triggerRef={button}
      isOpen
      onOpenChange={onOpenChange}
      placement="bottom start"
      offset={4}
      containerPadding={8}
      aria-label={label}
    >
      <FocusBack />
      {/* Keys of the list are none of the table below it; Escape closes the list, which the popover sees to. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keeps keys in, does nothing by itself */}
      <div onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}>
        <Menu
          aria-label={label}
          items={choices}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[level ?? none]}
          // A control opened by a key or the pointer continues with the focus in it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          className={classNames(styles.list)}
          onAction={(key) => onChoose(String(key))}
        >
          {(choice) => (
            <MenuItem
              id={choice.id}
              textValue={formatLevel(choice.level)}
              className={classNames(layout.row12, surface.item, styles.item)}
            >
              <TlpLamp level={choice.level} />
              {choice.level === level && <Check size={14} strokeWidth={1.6} aria-hidden="true" />}
            </MenuItem>
          )}
        </Menu>
      </div>
    </Popover>
  );
}

const formatLevel = (level: TlpLevel | null): string => level?.toUpperCase() ?? words.noTlp;

/** The colour in a black square; its word is beside it. */
export function TlpColour({ level }: { level: TlpLevel }) {
  return (
    <span
      className={classNames(styles.lamp, level === 'amber+strict' ? styles.amber : styles[level])}
      data-lamp
      aria-hidden="true"
    />
  );
}

/** The colour in a black square, and the word. */
export function TlpLamp({ level }: { level: TlpLevel | null }) {
  return (
    <span className={classNames(layout.inline6, styles.level)}>
      {level !== null && <TlpColour level={level} />}
      <span className={classNames(level === null && typography.faint)}>{formatLevel(level)}</span>
    </span>
  );
}

/** The label as FIRST draws it: coloured text on black, the same in both themes. */
export function TlpLabel({ level }: { level: TlpLevel }) {
  const colour = level === 'amber+strict' ? styles.amber : styles[level];
  return <span className={classNames(styles.label, colour)}>TLP:{level.toUpperCase()}</span>;
}
