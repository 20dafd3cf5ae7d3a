import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './field.module.css';

interface TextFieldProps extends Omit<
  AriaTextFieldProps,
  'className' | 'style' | 'children' | 'onKeyDown' | 'onKeyUp'
> {
  label: string;
  /** One line under the field. */
  hint?: ReactNode;
  /** What is wrong with the value, beside it. */
  problem?: string | null;
  placeholder?: string;
  /** Hashes, addresses and tokens are read character by character. */
  mono?: boolean;
  /** More than one line. */
  rows?: number;
  /** Has the focus when it appears: the first field of a form that was asked for. */
  takesFocus?: boolean;
  /** All other keys propagate to the surrounding elements. */
  onEnter?(): void;
}

export function TextField({
  label,
  hint,
  problem = null,
  placeholder,
  mono = false,
  rows,
  takesFocus = false,
  onEnter,
  ...rest
}: TextFieldProps) {
  // The library does not propagate keys to the surrounding elements, which have shortcuts for everywhere, unless it is
  // asked to.
  const keys: Pick<AriaTextFieldProps, 'onKeyDown'> = onEnter
    ? { onKeyDown: (event) => (event.key === 'Enter' ? onEnter() : event.continuePropagation()) }
    : {};
  const shown = {
    className: classNames(styles.input, mono && styles.mono),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
  return (
    <AriaTextField
      {...rest}
      {...keys}
      {...(takesFocus ? { autoFocus: true } : {})}
      isInvalid={problem !== null}
      validationBehavior="aria"
      className={classNames(layout.stack4, styles.field)}
    >
      <Label className={classNames(styles.label)}>{label}</Label>
      {rows === undefined ? (
        <Input {...shown} spellCheck={false} />
      ) : (
        <TextArea {...shown} rows={rows} spellCheck={false} />
      )}
      {hint !== undefined && (
        <Text slot="description" className={classNames(typography.hint)}>
          {hint}
        </Text>
      )}
      <FieldError className={classNames(typography.problem, styles.problem)}>
        <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
        {problem}
      </FieldError>
    </AriaTextField>
  );
}
