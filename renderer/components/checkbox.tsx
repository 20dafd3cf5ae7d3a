import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components/Checkbox';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import styles from './field.module.css';

interface CheckboxProps extends Omit<AriaCheckboxProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
}

export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className={classNames(layout.flex8, styles.checkbox)}>
      {({ isSelected }) => (
        <>
          <span className={classNames(layout.middle, styles.box)} aria-hidden="true">
            {isSelected && <Check size={12} strokeWidth={2.4} />}
          </span>
          <span>{children}</span>
        </>
      )}
    </AriaCheckbox>
  );
}
