import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import styles from './menu.module.css';
import { FocusBack } from './menu.tsx';

interface ChoiceMenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  label: string;
  choices: readonly { id: string; text: string }[];
  chosen: readonly string[];
  /** `several`: it stays open, and none may be chosen. */
  of: 'one' | 'several';
  onChange(chosen: readonly string[]): void;
}

/** What is shown, out of a few. What is chosen has a tick. */
export function ChoiceMenu({ trigger, label, choices, chosen, of, onChange }: ChoiceMenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classNames(surface.popover, styles.popover)} offset={4} containerPadding={8}>
        <FocusBack />
        <Menu
          aria-label={label}
          items={choices}
          selectionMode={of === 'one' ? 'single' : 'multiple'}
          disallowEmptySelection={of === 'one'}
          selectedKeys={chosen}
          onSelectionChange={(keys) => onChange(keys === 'all' ? choices.map(({ id }) => id) : [...keys].map(String))}
          className={classNames(styles.menu)}
        >
          {({ id, text }) => (
            <MenuItem id={id} textValue={text} className={classNames(layout.row8, surface.item, styles.item)}>
              {({ isSelected }) => (
                <>
                  <span className={classNames(layout.inRow, styles.tick)}>
                    {isSelected && <Check size={14} strokeWidth={1.6} aria-hidden="true" />}
                  </span>
                  <span className={classNames(typography.cut, layout.grow)}>
                    <bdi>{text}</bdi>
                  </span>
                </>
              )}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
