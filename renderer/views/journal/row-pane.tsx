import { X } from 'lucide-react';
import type { JournalLine, JournalRow } from '../../../shared/domain/journal.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { words } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { LongText } from '../../components/service-text.tsx';
import { text as sampleText } from '../../features/sample/strings.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { WorkspaceName } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { fieldName, formatOutcome, formatTime, formatValue, isHash } from './journal-list.tsx';
import styles from './journal.module.css';
import { text } from './strings.ts';

const charactersShown = 400;

/** A row, whole. */
export function RowPane({ line: { number, row }, onClose }: { line: JournalLine; onClose(): void }) {
  return (
    <section
      className={classNames(layout.stack, styles.pane)}
      data-pane
      data-row-pane
      tabIndex={-1}
      aria-label={text.row(number)}
    >
      <header className={classNames(layout.row8, layout.top, styles.paneHead)}>
        <h2 className={classNames(layout.grow, typography.heading)}>{text.row(number)}</h2>
        <IconButton label={text.close} onPress={onClose}>
          <X size={14} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.paneBody}>
        {row === null ? (
          <Notice meaning="bad" size="small" title={text.noRow}>
            {text.noRowMeaning}
          </Notice>
        ) : (
          <WholeRow row={row} />
        )}
      </div>
    </section>
  );
}

function WholeRow({ row: { time, operation, outcome, workspaceId, hash, detail } }: { row: JournalRow }) {
  const { openSample } = useNavigation();
  const fields = Object.entries(detail);
  return (
    <>
      <dl className={typography.facts}>
        <Fact name={text.facts.time}>{formatTime(time)}</Fact>
        <Fact name={text.facts.operation}>{sampleText.attempted[operation]}</Fact>
        <Fact name={text.facts.outcome}>
          <bdi>
            <LongText text={formatOutcome(outcome)} charactersShown={charactersShown} />
          </bdi>
        </Fact>
        {workspaceId !== null && (
          <Fact name={text.facts.workspace}>
            <WorkspaceName id={workspaceId} />
          </Fact>
        )}
        {hash !== null && (
          <Fact name={text.facts.hash}>
            <code className={classNames(typography.mono, typography.anywhere)}>{visibleText(hash)}</code>{' '}
            <CopyIcon text={hash} label={`${words.copy} ${text.facts.hash}`} />
          </Fact>
        )}
      </dl>
      {hash !== null && operation !== 'rule-update' && (
        <div className={styles.paneAction}>
          <Button onPress={() => openSample(hash)}>{text.openSample}</Button>
        </div>
      )}
      <h3 className={styles.subtitle}>{text.detail}</h3>
      {fields.length === 0 && <p className={typography.faint}>{text.noDetail}</p>}
      <dl className={typography.facts}>
        {fields.map(([name, value]) => (
          <Fact key={name} name={fieldName(name)}>
            <bdi className={classNames(isHash(value) && typography.mono)}>
              <LongText text={formatValue(name, value)} charactersShown={charactersShown} />
            </bdi>
          </Fact>
        ))}
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className={classNames(layout.grid12, styles.fact)}>
      <dt>{name}</dt>
      <dd data-figures>{children}</dd>
    </div>
  );
}
