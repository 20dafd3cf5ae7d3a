import { ReadFailure } from '../../../components/read-failure.tsx';
import { useLate } from '../../../components/use-late.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { DropZone } from '../drop-zone.tsx';
import { CheckNotices } from './check-notices.tsx';
import { CheckStrip } from './check-strip.tsx';
import { NoPackage } from './no-package.tsx';
import { PackagePanes } from './package-panes.tsx';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './updates.module.css';

/** The packages, what making one of them the active one would change, and that step. */
export function UpdatesTab() {
  const { state, unread, taken, take } = useUpdatesDesk();
  const isLate = useLate(state === null && unread === null);
  if (state === null) {
    return (
      <>
        {unread !== null && (
          <div className={classNames(layout.insetLine, layout.fixed)}>
            <ReadFailure failure={unread} of="publications.state" />
          </div>
        )}
        {isLate && (
          <p className={classNames(typography.note, layout.inset)} role="status">
            {text.notKnownYet}
          </p>
        )}
      </>
    );
  }
  return (
    <DropZone label={text.updates} className={styles.updates} words={text.dropHere} onDrop={take}>
      {state.check !== null ? (
        <CheckStrip progress={state.check} />
      ) : (
        taken !== null && <CheckStrip progress={{ phase: 'gathering', ...taken }} />
      )}
      <CheckNotices state={state} />
      {state.packages.length === 0 ? <NoPackage state={state} /> : <PackagePanes state={state} />}
    </DropZone>
  );
}
