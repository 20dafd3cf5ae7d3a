import type { ReactNode } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { Text } from 'react-aria-components/Text';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './field.module.css';

interface RadioChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly RadioOption<T>[];
  onChange(value: T): void;
  /** One line under them: why some cannot be chosen. */
  hint?: ReactNode;
  /** Beside each other where they fit. */
  isInline?: boolean;
}

interface RadioOption<T extends string> {
  value: T;
  text: ReactNode;
  isDisabled?: boolean;
  /** The options after it begin a new line, where they are beside each other. */
  endsLine?: boolean;
}

/** One of a few, all of them visible. */
export function RadioChoice<T extends string>({
  label,
  value,
  options,
  onChange,
  hint,
  isInline = false,
}: RadioChoiceProps<T>) {
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <RadioGroup value={value} onChange={choose} className={classNames(layout.stack4, styles.field)}>
      <Label className={classNames(styles.label)}>{label}</Label>
      <div className={classNames(layout.stack4, styles.radios, isInline && styles.inline)}>
        {options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            isDisabled={option.isDisabled ?? false}
            className={classNames(layout.flex8, styles.radio, option.endsLine === true && styles.endsLine)}
          >
            <span className={styles.dot} aria-hidden="true" />
            <span>{option.text}</span>
          </Radio>
        ))}
      </div>
      {hint !== undefined && (
        <Text slot="description" className={classNames(typography.hint)}>
          {hint}
        </Text>
      )}
    </RadioGroup>
  );
}
