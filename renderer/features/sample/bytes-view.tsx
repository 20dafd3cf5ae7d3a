import { type ComponentType, lazy, Suspense } from 'react';
import type { HexViewProps } from '../../components/hex/hex-view.tsx';
import styles from './parts.module.css';
import { text } from './text.ts';

/** Loaded when bytes are looked at for the first time. */
const HexView = lazy(async (): Promise<{ default: ComponentType<HexViewProps> }> => {
  try {
    return { default: (await import('../../components/hex/hex-view.tsx')).HexView };
  } catch {
    return { default: NotLoaded };
  }
});

function NotLoaded() {
  return (
    <p className={styles.nothing} role="alert">
      {text.bytesNotLoaded}
    </p>
  );
}

/** The bytes of the sample, as high as the page has room for. */
export function BytesView(props: HexViewProps) {
  return (
    <Suspense fallback={null}>
      <HexView {...props} />
    </Suspense>
  );
}
