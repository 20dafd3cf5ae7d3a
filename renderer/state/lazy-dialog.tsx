import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import typography from '../styles/typography.module.css';
import { text } from './strings.ts';

interface CanBeClosed {
  onClose(): void;
}

const loads = new Set<() => Promise<unknown>>();

/**
 * A dialog whose code is loaded when the page has drawn, or when it is opened before that: until it is there, nothing
 * on the page changes. If its code cannot be loaded, a dialog shows that, and retries.
 */
export function lazyDialog<Props extends object>(
  source: () => Promise<ComponentType<Props>>,
): ComponentType<Props & CanBeClosed> {
  let here: ComponentType<Props> | null = null;
  const load = async (): Promise<ComponentType<Props>> => (here ??= await source());
  loads.add(load);
  return function LaterDialog(props) {
    const [Asked, setAsked] = useState(() => here);
    const [times, setTimes] = useState(1);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
      let isWanted = true;
      load().then(
        (loaded) => isWanted && setAsked(() => loaded),
        () => isWanted && setMissing(true),
      );
      return () => void (isWanted = false);
    }, [times]);
    if (Asked !== null) return <Asked {...props} />;
    return isMissing && <NotLoaded onClose={props.onClose} onAgain={() => setTimes(times + 1)} />;
  };
}

function NotLoaded({ onClose, onAgain }: CanBeClosed & { onAgain(): void }) {
  return (
    <Dialog
      title={text.dialogNotLoaded}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.close}
          </Button>
          <Button look="primary" onPress={onAgain}>
            {text.openAgain}
          </Button>
        </>
      }
    >
      <p>{text.notLoaded.then}</p>
    </Dialog>
  );
}

/**
 * A part of a page whose code is loaded when the page has drawn, or when it is shown before that: its place is empty
 * until then.
 */
export function lazyPart<Props extends object>(source: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  loads.add(source);
  const Loaded = lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await source() };
    } catch {
      return { default: PartNotLoaded };
    }
  });
  return function LaterPart(props) {
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

function PartNotLoaded() {
  return (
    <p className={typography.aside} role="alert">
      {text.partNotLoaded}
    </p>
  );
}

/** Then each opens at once, even when the host has gone. */
export async function loadDialogsWhenIdle(): Promise<void> {
  for (const load of loads) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    // Opening the dialog loads it again, and shows a failure if that fails too.
    await load().catch(() => {});
  }
}
