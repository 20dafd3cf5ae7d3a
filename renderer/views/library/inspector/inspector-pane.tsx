import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { leastInspector, mostInspector } from '../../../memory/library-layout.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { text } from '../text.ts';
import styles from './inspector.module.css';

export interface InspectorPaneProps {
  /** CSS pixels. */
  width: number;
  onWidth(width: number): void;
  children: ReactNode;
}

/** By one press of an arrow key. */
const step = 16;
const within = (width: number): number => Math.round(Math.max(leastInspector, Math.min(mostInspector, width)));

/**
 * At the right of the table; its edge is dragged, or moved by the arrow keys. Over the table where there is no room
 * beside it.
 */
export function InspectorPane({ width, onWidth, children }: InspectorPaneProps) {
  // While it is dragged it is kept nowhere.
  const [dragged, drag] = useState<{ from: number; width: number } | null>(null);
  const shown = dragged?.width ?? width;
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag({ from: event.clientX + width, width });
  };
  const onPointerUp = (): void => {
    if (dragged !== null) onWidth(dragged.width);
    drag(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = widthForKey(event.key, width);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(within(to));
  };
  return (
    <aside
      className={classNames(layout.stack, styles.pane)}
      style={{ width: shown }}
      aria-label={text.inspector}
      data-pane
    >
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={text.inspectorWidth}
        aria-valuenow={shown}
        aria-valuemin={leastInspector}
        aria-valuemax={mostInspector}
        tabIndex={0}
        className={styles.edge}
        onPointerDown={onPointerDown}
        onPointerMove={({ clientX }) => dragged !== null && drag({ ...dragged, width: within(dragged.from - clientX) })}
        onPointerUp={onPointerUp}
        onPointerCancel={() => drag(null)}
        onKeyDown={onKeyDown}
      />
      {children}
    </aside>
  );
}

function widthForKey(key: string, width: number): number | null {
  if (key === 'ArrowLeft') return width + step;
  if (key === 'ArrowRight') return width - step;
  if (key === 'Home') return leastInspector;
  return key === 'End' ? mostInspector : null;
}
