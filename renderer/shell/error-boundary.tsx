import { Component, type ReactNode, startTransition, useLayoutEffect, useRef } from 'react';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import { focusLanding } from '../keyboard/focus.ts';
import { isBehindOverlay } from '../keyboard/open-overlay.ts';
import { text } from '../state/strings.ts';
import { RoomNotLoaded } from './room-not-loaded.ts';
import styles from './shell.module.css';

interface Props {
  children: ReactNode;
  /** Called before what is inside is drawn anew. */
  onOpenAgain?: () => void;
}
interface State {
  error: Error | null;
}

/** A defect in a view stays in that view: the rest of the page works on. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <Crashed error={error} onOpenAgain={() => this.#openAgain()} />;
  }

  #openAgain(): void {
    this.props.onOpenAgain?.();
    // What is loaded only now leaves the notice in place until it is there.
    startTransition(() => this.setState({ error: null }));
  }
}

function Crashed({ error, onOpenAgain }: { error: Error; onOpenAgain: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  // With the view went what had the focus, or the button of the notice before.
  useLayoutEffect(() => {
    if (place.current !== null && document.activeElement === document.body && !isBehindOverlay(place.current))
      focusLanding(place.current);
  }, []);
  const { title, then } = error instanceof RoomNotLoaded ? text.notLoaded : text.crashed;
  return (
    <div ref={place} className={styles.crashed}>
      <Notice
        meaning="bad"
        title={title}
        isAlert
        actions={
          <>
            <Button size="small" data-landing onPress={onOpenAgain}>
              {text.openAgain}
            </Button>
            <CopyButton text={() => error.stack ?? error.message} label={text.copyDetails} />
          </>
        }
      >
        {then}
      </Notice>
    </div>
  );
}
