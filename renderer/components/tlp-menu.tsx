import { SquareDot } from 'lucide-react';
import { type TlpLevel, tlpLevels } from '../../shared/domain/tag.ts';
import { Button } from './button.tsx';
import { Menu } from './menu.tsx';
import { TlpColour } from './tlp-select.tsx';

/** The palette finds it by what it does, whatever its text. */
const searchKeywords = 'set';

interface TlpMenuProps {
  label: string;
  /** On the button. */
  text: string;
  /** The choice of none. */
  none: string;
  /** Small and without an edge, where it is within a text. */
  isQuiet?: boolean;
  isDisabled: boolean;
  /** Why it is disabled. */
  why?: string;
  onChoose(level: TlpLevel | null): void;
}

/** A button that gives what is meant a TLP, or none; its letter is L. */
export function TlpMenu({ label, text, none, isQuiet = false, isDisabled, why, onChoose }: TlpMenuProps) {
  // In the order of FIRST's standard. A key opens the menu at its first choice: what Enter does by mistake must not let
  // a sample out.
  const choices = [
    ...tlpLevels
      .toReversed()
      .map((level) => ({ id: level, text: level.toUpperCase(), icon: <TlpColour level={level} /> })),
    { id: 'none', text: none },
  ];
  return (
    <Menu
      label={label}
      choices={choices}
      onChoose={(id) => onChoose(tlpLevels.find((level) => level === id) ?? null)}
      trigger={
        <Button
          letter="L"
          data-keywords={searchKeywords}
          {...(isQuiet ? { size: 'small', look: 'quiet' } : {})}
          isDisabled={isDisabled}
          why={why}
        >
          <SquareDot size={14} strokeWidth={1.6} aria-hidden="true" />
          {text}
        </Button>
      }
    />
  );
}
