import { FileOutput } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { text } from '../case/strings.ts';

export interface HandOverMenuProps {
  isDisabled?: boolean;
  /** null: none of the samples has bytes here. */
  onZip: (() => void) | null;
  onCase(): void;
  onBundle(): void;
}

/** Every form in which samples are exported; its letter is E. */
export function HandOverMenu({ isDisabled = false, onZip, onCase, onBundle }: HandOverMenuProps) {
  return (
    <Menu
      label={text.handOverMenu}
      choices={[
        ...(onZip === null ? [] : [{ id: 'zip', text: text.asZip }]),
        { id: 'case', text: text.asCase },
        { id: 'bundle', text: text.asBundle },
      ]}
      onChoose={(id) => (id === 'zip' ? onZip?.() : id === 'case' ? onCase() : onBundle())}
      trigger={
        <Button letter="E" data-keywords={text.handOverWords} isDisabled={isDisabled}>
          <FileOutput size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.handOver}
        </Button>
      }
    />
  );
}
