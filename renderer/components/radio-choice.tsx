import type { ReactNode } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { classNames } from '../styles/class-names.ts';
import styles from './field.module.css';

export interface RadioChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; text: ReactNode }[];
  onChange(value: T): void;
}

/** One of a few, all of them visible. */
export function RadioChoice<T extends string>({ label, value, options, onChange }: RadioChoiceProps<T>) {
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <RadioGroup value={value} onChange={choose} className={classNames(styles.field)}>
      <Label className={classNames(styles.label)}>{label}</Label>
      <div className={styles.radios}>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={classNames(styles.radio)}>
            <span className={styles.dot} aria-hidden="true" />
            <span>{option.text}</span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
