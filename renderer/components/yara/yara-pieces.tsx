import { visibleText } from '../../../shared/domain/visible-text.ts';
import { classNames } from '../../styles/class-names.ts';
import type { YaraPiece } from './coloured-lines.ts';
import styles from './yara.module.css';

/** A coloured line, or a part of one. A rule's text is hostile: nothing in it may turn it around or hide. */
export function YaraPieces({ pieces }: { pieces: readonly YaraPiece[] }) {
  return pieces.map(({ text, kind }, at) => (
    <span key={at} className={classNames(kind !== 'plain' && styles[kind])}>
      {visibleText(text)}
    </span>
  ));
}
