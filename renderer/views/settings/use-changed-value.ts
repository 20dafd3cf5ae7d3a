import { useRef } from 'react';

/** Saves a value that is not stored, and the stored one too where another was asked for and is on its way. */
export function useChangedValue<Value>(stored: Value, onSave: (value: Value) => void): (value: Value) => void {
  const asked = useRef<Value | null>(null);
  return (value) => {
    if (value === stored && (asked.current === null || asked.current === value)) return;
    asked.current = value;
    onSave(value);
  };
}
