import { LockKeyhole } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { forbidsThirdParties } from '../../../shared/domain/tlp.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { TickBox } from '../../components/data-grid/grid-row.tsx';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { canBeSent } from './file-standing.ts';
import styles from './files-table.module.css';
import { pressedOnce } from './pressed-once.ts';
import { text } from './text.ts';

export interface FlagCellProps {
  file: UploadFile;
  /** The third party, in this team's words. */
  receiver: string;
  isOn: boolean;
  /** Reached by Tab: while its row is edited. */
  isTabStop: boolean;
  onChange(isOn: boolean): void;
}

/** Whether a third party gets the file: off until ticked, and a lock in its place where the TLP forbids it. */
export function FlagCell({ file, receiver, isOn, isTabStop, onChange }: FlagCellProps) {
  if (!canBeSent(file))
    return (
      <span className={classNames(layout.middle, styles.none)}>
        <span aria-hidden="true">{text.none}</span>
        <span className={aloud.only}>{text.notAvailable}</span>
      </span>
    );
  if (file.tlp !== null && forbidsThirdParties(file.tlp))
    return <Lock words={text.shut(receiver, file.tlp.toUpperCase())} isTabStop={isTabStop} />;
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isOn}
      aria-label={text.sendTo(receiver, visibleText(file.name))}
      tabIndex={isTabStop ? 0 : -1}
      className={classNames(layout.middle, surface.bare, styles.flag)}
      onKeyDown={pressedOnce}
      onClick={(event) => {
        onChange(!isOn);
        // After the pointer the keys are those of the table again.
        if (event.detail > 0) event.currentTarget.closest<HTMLElement>('[data-index]')?.focus();
      }}
    >
      <TickBox state={isOn ? 'all' : 'none'} />
    </button>
  );
}

/** Says why as soon as it has the focus; elsewhere it is a picture, which is much quicker to draw. */
function Lock({ words, isTabStop }: { words: string; isTabStop: boolean }) {
  const icon = <LockKeyhole size={14} strokeWidth={1.6} aria-hidden="true" />;
  if (!isTabStop)
    return (
      <span
        className={classNames(layout.middle, surface.bare, styles.flag, styles.shut)}
        role="img"
        aria-label={words}
        title={words}
      >
        {icon}
      </span>
    );
  return (
    <TooltipTrigger delay={0} closeDelay={0}>
      <Button className={classNames(layout.middle, surface.bare, styles.flag, styles.shut)} aria-label={words}>
        {icon}
      </Button>
      <Tooltip placement="top" offset={4} className={classNames(surface.tip)}>
        {words}
      </Tooltip>
    </TooltipTrigger>
  );
}
