import { SquareDot } from 'lucide-react';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { tlpLevels } from '../../../shared/domain/tlp.ts';
import { Button } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { TlpColour } from '../../components/tlp-select.tsx';
import type { Draft } from './draft-desk.tsx';
import { FlagTicked } from './flag-ticked.tsx';
import { RemoveTicked } from './remove-ticked.tsx';
import { TagTicked } from './tag-ticked.tsx';
import { text } from './text.ts';
import styles from './upload.module.css';
import type { Removal } from './use-removal.ts';

const none = 'none';

/** What is done with all ticked files at once. */
export function TickedBar({ draft, summary, removal }: { draft: Draft; summary: UploadDraft; removal: Removal }) {
  const { ticked } = summary;
  return (
    <div className={styles.bar} role="group" aria-label={text.tickedFiles(ticked)}>
      <span className={styles.barWords} data-figures>{text.tickedFiles(ticked)}</span>
      <TagTicked draft={draft} count={ticked} />
      <SetTlp draft={draft} count={ticked} />
      <FlagTicked draft={draft} summary={summary} flag="virusTotal" />
      <FlagTicked draft={draft} summary={summary} flag="sandbox" />
      <RemoveTicked count={ticked} asks={removal.asks} onAsk={removal.ask} onClose={removal.close} onRemove={removal.remove} />
    </div>
  );
}

function SetTlp({ draft: { writes }, count }: { draft: Draft; count: number }) {
  const choices = [{ id: none, text: text.noTlp }, ...tlpLevels.map((level) => ({ id: level, text: level.toUpperCase(), icon: <TlpColour level={level} /> }))];
  return (
    <Menu
      label={text.setTlpMenu}
      choices={choices}
      onChoose={(id) => void writes.change({ kind: 'ticked' }, { tlp: tlpLevels.find((level) => level === id) ?? null })}
      trigger={<Button letter="L" isDisabled={count === 0}><SquareDot size={14} strokeWidth={1.6} aria-hidden="true" />{text.setTlp}</Button>}
    />
  );
}
