import { Send } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { text } from './text.ts';

export interface HandOverMenuProps {
  isDisabled?: boolean;
  onCase(): void;
  onBundle(): void;
}

/** Samples for somebody else, in other forms than a ZIP; its letter is H. */
export function HandOverMenu({ isDisabled = false, onCase, onBundle }: HandOverMenuProps) {
  return (
    <Menu
      label={text.handOverMenu}
      choices={[
        { id: 'case', text: text.asCase },
        { id: 'bundle', text: text.asBundle },
      ]}
      onChoose={(id) => (id === 'case' ? onCase() : onBundle())}
      trigger={
        <Button letter="H" data-keywords={text.handOverWords} isDisabled={isDisabled}>
          <Send size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.handOver}
        </Button>
      }
    />
  );
}
