import { X } from 'lucide-react';
import type { JournalLine, JournalRow } from '../../../shared/domain/journal.ts';
import type { JournalFact } from '../../../shared/domain/journal-words.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { words as copyWords } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { LongText } from '../../components/service-text.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { WorkspaceName } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { exactWordsOf, formatTime } from './journal-list.tsx';
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

function WholeRow({ row }: { row: JournalRow }) {
  const { time, operation, workspaceId, hash } = row;
  const { openSample } = useNavigation();
  const words = exactWordsOf(row);
  return (
    <>
      <dl className={typography.facts}>
        <Fact name={text.facts.time}>{formatTime(time)}</Fact>
        <Fact name={text.facts.operation}>{words.operation}</Fact>
        <Fact name={text.facts.outcome}>
          <bdi>
            <LongText text={words.outcome} charactersShown={charactersShown} />
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
            <CopyIcon text={hash} label={`${copyWords.copy} ${text.facts.hash}`} />
          </Fact>
        )}
      </dl>
      {hash !== null && operation !== 'rule-update' && (
        <div className={styles.paneAction}>
          <Button onPress={() => openSample(hash)}>{text.openSample}</Button>
        </div>
      )}
      <h3 className={styles.subtitle}>{text.detail}</h3>
      {words.facts.length === 0 && <p className={typography.faint}>{text.noDetail}</p>}
      <dl className={typography.facts}>
        {words.facts.map((fact) => (
          <Fact key={`${fact.name} ${fact.value}`} name={fact.name}>
            <FactValue fact={fact} />
          </Fact>
        ))}
      </dl>
    </>
  );
}

/** A hash by its first digits: the whole is in its title and is what is copied. */
function FactValue({ fact: { name, value, whole } }: { fact: JournalFact }) {
  if (whole === undefined)
    return (
      <bdi>
        <LongText text={value} charactersShown={charactersShown} />
      </bdi>
    );
  return (
    <>
      <code className={typography.mono} title={whole}>
        {value}
      </code>{' '}
      <CopyIcon text={whole} label={`${copyWords.copy} ${name}`} />
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
