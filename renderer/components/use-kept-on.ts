import { createContext, useContext, useState } from 'react';

/**
 * Whether buttons keep the focus that they have while they cannot be pressed. In a dialog: taken off its button, the
 * focus would be nowhere, and Escape with it.
 */
export const KeepsFocus = createContext(false);

export interface KeptButton {
  isDisabled: boolean;
  isPending: boolean;
  onFocusChange(hasFocus: boolean): void;
  /** It looks as if it were disabled, and is reached all the same. */
  'data-kept': boolean | undefined;
}

/** A button that cannot be pressed, as it is drawn: disabled, unless it keeps the focus. */
export function useKeptOn({
  isDisabled = false,
  isPending = false,
}: {
  isDisabled?: boolean | undefined;
  isPending?: boolean | undefined;
}): KeptButton {
  const keepsFocus = useContext(KeepsFocus);
  const [hasFocus, setHasFocus] = useState(false);
  const isKept = isDisabled && hasFocus;
  // Elsewhere nobody asks, and a button is not drawn again for it.
  const onFocusChange = (now: boolean): void => {
    if (keepsFocus) setHasFocus(now);
  };
  return {
    isDisabled: isDisabled && !isKept,
    isPending: isPending || isKept,
    onFocusChange,
    'data-kept': isKept || undefined,
  };
}
