import { Check, Copy } from 'lucide-react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { Button, IconButton } from './button.tsx';
import { useCopy } from './use-copy.ts';
import { words } from './words.ts';

export interface CopyButtonProps {
  /** Made when it is asked for. */
  text: () => string;
  label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { state, copy } = useCopy();
  return (
    <Button look="quiet" size="small" onPress={() => copy(text())}>
      {state === 'copied' ? (
        <Check size={14} strokeWidth={1.6} aria-hidden="true" />
      ) : (
        <Copy size={14} strokeWidth={1.6} aria-hidden="true" />
      )}
      <span aria-live="polite">
        {state === 'copied' ? words.copied : state === 'failed' ? words.copyFailed : label}
      </span>
    </Button>
  );
}

/** The small one at the end of a line. `label` names what is copied. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { state, copy } = useCopy();
  return (
    <span className={layout.inline4}>
      <IconButton label={label} onPress={() => copy(text)}>
        {state === 'copied' ? (
          <Check size={14} strokeWidth={1.6} aria-hidden="true" />
        ) : (
          <Copy size={14} strokeWidth={1.6} aria-hidden="true" />
        )}
      </IconButton>
      <span role="status" className={classNames(typography.body, typography.ok)}>
        {state === 'copied' ? words.copied : state === 'failed' ? words.copyFailed : ''}
      </span>
    </span>
  );
}
