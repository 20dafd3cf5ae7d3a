import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { TlpMenu } from '../../components/tlp-menu.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import type { Draft } from './draft-desk.tsx';
import { FlagTicked } from './flag-ticked.tsx';
import { RemoveTicked } from './remove-ticked.tsx';
import { TagTicked } from './tag-ticked.tsx';
import { text } from './text.ts';
import styles from './upload.module.css';
import type { Removal } from './use-removal.ts';

/** What is done with all ticked files at once. */
export function TickedBar({ draft, summary, removal }: { draft: Draft; summary: UploadDraft; removal: Removal }) {
  const { ticked, tickedSamples } = summary;
  const words = text.tickedFiles(tickedSamples, ticked);
  return (
    <div className={classNames(layout.wrapRow, layout.top, styles.bar)} role="group" aria-label={words}>
      <span className={classNames(typography.note, styles.barWords)} data-figures>
        {words}
      </span>
      <TagTicked draft={draft} summary={summary} />
      <TlpMenu
        label={text.setTlpMenu}
        text={text.setTlp}
        none={text.noTlp}
        isDisabled={tickedSamples === 0}
        onChoose={(tlp) => void draft.writes.change({ kind: 'ticked' }, { tlp })}
      />
      <FlagTicked draft={draft} summary={summary} flag="virusTotal" />
      <FlagTicked draft={draft} summary={summary} flag="sandbox" />
      <RemoveTicked isNone={ticked === 0} removal={removal} />
    </div>
  );
}
