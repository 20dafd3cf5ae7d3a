import { useEffect, useEffectEvent, useState } from 'react';
import { type DroppedEntry, entriesOf } from '../features/uploads/dropped-entry.ts';
import { hasOpenDialog } from '../keyboard/open-overlay.ts';

/**
 * Takes files that are dropped anywhere on the window. What takes a drop by itself has prevented the event before it
 * comes here, and a text that is dragged is none of ours. @returns whether files are over the window now
 */
export function useWindowDrop(take: (dropped: readonly DroppedEntry[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || !holdsFiles(dataTransfer)) return setOver(false);
    event.preventDefault();
    // Behind a dialog nothing may change.
    const canTake = !hasOpenDialog();
    dataTransfer.dropEffect = canTake ? 'copy' : 'none';
    setOver(canTake);
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    setOver(false);
    if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return;
    // Else the browser would leave the page and open the file.
    event.preventDefault();
    if (!hasOpenDialog()) take(entriesOf(event.dataTransfer));
  });
  const onLeave = useEffectEvent((event: DragEvent) => {
    // Between two elements of the page it names the one it comes to.
    if (event.relatedTarget === null) setOver(false);
  });
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener('dragenter', (event) => onDrag(event), { signal: stop.signal });
    window.addEventListener('dragover', (event) => onDrag(event), { signal: stop.signal });
    window.addEventListener('dragleave', (event) => onLeave(event), { signal: stop.signal });
    window.addEventListener('drop', (event) => onDrop(event), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return isOver;
}

const holdsFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer?.types.includes('Files') ?? false;
