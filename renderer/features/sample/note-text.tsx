import { type ComponentType, lazy, Suspense } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import styles from './note.module.css';

interface SourceProps {
  source: string;
}

/**
 * Its reader is loaded with the first note that is shown. Where that cannot be had, as when the host has gone, the text
 * is shown as it was written.
 */
const MarkdownView = lazy(async (): Promise<{ default: ComponentType<SourceProps> }> => {
  try {
    return { default: (await import('./markdown-view.tsx')).MarkdownView };
  } catch {
    return { default: PlainNote };
  }
});

const charactersShown = 20_000;

function PlainNote({ source }: SourceProps) {
  return (
    <p className={styles.plainNote} dir="auto">
      {visibleText(source.length > charactersShown ? `${source.slice(0, charactersShown)}…` : source)}
    </p>
  );
}

/** A note as it reads. */
export function NoteText({ source }: SourceProps) {
  return (
    <Suspense fallback={<PlainNote source={source} />}>
      <MarkdownView source={source} />
    </Suspense>
  );
}
