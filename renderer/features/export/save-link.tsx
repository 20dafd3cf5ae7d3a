import type { BrowserDownload } from '../../../shared/domain/export.ts';
import { exportUrl } from '../../bridge/export-url.ts';
import { useToast } from '../../components/toasts.tsx';
import styles from './export.module.css';
import { text } from './text.ts';

export interface SaveLinkProps {
  ready: BrowserDownload;
  verb: string;
  /** What it is called where several links have one verb. */
  label?: string;
  /** What the file is called where it is told of; its name may be longer than a sentence has room for. */
  shownName?: string;
  /** Has the focus when it appears. */
  takesFocus?: boolean;
  /** The browser has taken it: it cannot be saved once more. */
  onSaving(): void;
}

/** React focuses no link by itself. */
const takeFocus = (link: HTMLAnchorElement | null): void => link?.focus();

/**
 * The browser takes it from here: by a link, because only a person's own click is always allowed to save. Whether it
 * arrives, the browser alone knows.
 */
export function SaveLink({
  ready,
  verb,
  label,
  shownName = ready.fileName,
  takesFocus = false,
  onSaving,
}: SaveLinkProps) {
  const toast = useToast();
  const saving = (): void => {
    toast({ meaning: 'info', text: text.saving(shownName) });
    onSaving();
  };
  return (
    <a
      {...(takesFocus ? { ref: takeFocus } : {})}
      className={styles.save}
      href={exportUrl(ready.id)}
      download={ready.fileName}
      onClick={saving}
      aria-label={label}
    >
      {verb}
    </a>
  );
}
