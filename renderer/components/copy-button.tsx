import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { Button, IconButton } from './button.tsx';
import { words } from './format.ts';

interface CopyButtonProps {
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

type CopyState = 'idle' | 'copied' | 'failed';

const shownForMs = 2000;

/** Copies a text and shows the result for two seconds. */
function useCopy(): { state: CopyState; copy(text: string): void } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), shownForMs);
    return () => clearTimeout(timer);
  }, [state]);
  return { state, copy: (text) => void copyText(text).then((copied) => setState(copied ? 'copied' : 'failed')) };
}

/** False where the browser refuses the clipboard; the text itself stays on the screen to be selected. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
