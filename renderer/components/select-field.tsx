import { ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select, SelectValue } from 'react-aria-components/Select';
import { classNames } from '../styles/class-names.ts';
import field from './field.module.css';
import menu from './menu.module.css';

export interface SelectFieldProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; text: string }[];
  onChange(value: T): void;
}

export function SelectField<T extends string>({ label, value, options, onChange }: SelectFieldProps<T>) {
  const choose = (chosen: unknown): void => {
    const option = options.find((each) => each.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <Select value={value} onChange={choose} className={classNames(field.field)}>
      <Label className={classNames(field.label)}>{label}</Label>
      <Button className={classNames(field.trigger)}>
        <SelectValue />
        <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
      </Button>
      <Popover className={classNames(menu.popover)} offset={4}>
        <ListBox className={classNames(menu.menu)}>
          {options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} textValue={option.text} className={classNames(menu.item)}>{option.text}</ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
