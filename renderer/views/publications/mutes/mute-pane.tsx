import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useAction } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { timeWidth } from '../../../components/format.ts';
import { TimeText } from '../../../components/service-text.tsx';
import { useMuteNews } from '../../../features/mutes/mute-dialogs.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './mutes.module.css';

/** For so long a press is still one of those that were for the mute before. */
const restMs = 500;

interface MutePaneProps {
  mute: Mute;
  /** It took the place of a removed one: the person did not choose it. */
  cameByItself: boolean;
  onEdit(): void;
}

/** A mute, and what can be done with it. */
export function MutePane({ mute, cameByItself, onEdit }: MutePaneProps) {
  const remove = useAction('mutes.remove');
  const { reportUnmuted } = useMuteNews();
  const [restsUntil] = useState(() => (cameByItself ? performance.now() + restMs : 0));
  const unmute = async (): Promise<void> => {
    if (performance.now() < restsUntil) return;
    // Reported in any view: the pane may be that of another mute by then. A failure is shown in it.
    await remove.mutateAsync({ id: mute.id }).then(
      () => reportUnmuted(mute),
      () => {},
    );
  };
  const name = visibleText(mute.rule);
  return (
    <section className={classNames(layout.stack12, styles.pane)} data-pane data-mute aria-label={text.mute(name)}>
      <h2 className={typography.monoHeading}>
        <bdi>{name}</bdi>
      </h2>
      <Attention mute={mute} state={muteState(mute)} />
      {remove.error !== null && <FailureNotice failure={remove.error} />}
      <dl className={typography.facts}>
        <Fact name={text.state}>
          <StateMark state={muteState(mute)} />
        </Fact>
        <Fact name={text.sample}>{mute.sample === null ? text.everySample : <code>{mute.sample}</code>}</Fact>
        <Fact name={text.reason}>
          <bdi>{visibleText(mute.reason)}</bdi>
        </Fact>
        <Fact name={text.since}>
          <TimeText sent={mute.created} />
        </Fact>
        <Fact name={text.until}>{mute.expires === null ? text.never : <TimeText sent={mute.expires} />}</Fact>
      </dl>
      <div className={layout.wrap8}>
        <Button aria-label={text.editThis(name)} onPress={onEdit}>
          {text.edit}
        </Button>
        <Button letter="U" isDisabled={remove.isPending || remove.isSuccess} onPress={() => void unmute()}>
          <span>
            {text.unmute} <span className={aloud.only}>{name}</span>
          </span>
        </Button>
        {mute.ruleNow === 'same' && <LookAt mute={mute} />}
      </div>
    </section>
  );
}

/** Why it should be looked at, and what to do about it. */
function Attention({ mute, state }: { mute: Mute; state: MuteState }) {
  const confirm = useAction('mutes.confirm');
  const keep = (): void => confirm.mutate({ id: mute.id });
  if (confirm.error !== null)
    return (
      <FailureNotice failure={confirm.error} retry={{ name: 'mutes.confirm', input: { id: mute.id } }} onRetry={keep} />
    );
  if (state === 'expired')
    return (
      <Notice meaning="info" title={text.expiredTitle}>
        {text.expiredThen}
      </Notice>
    );
  if (state === 'gone')
    return (
      <Notice meaning="info" title={text.goneTitle}>
        {text.goneThen}
      </Notice>
    );
  if (state !== 'changed') return null;
  return (
    <Notice
      meaning="warn"
      title={text.changedTitle}
      actions={
        <>
          <LookAt mute={mute} />
          <Button size="small" isDisabled={confirm.isPending} onPress={keep}>
            {text.keep}
          </Button>
        </>
      }
    >
      {text.changedThen}
    </Notice>
  );
}

function LookAt({ mute: { workspaceId, rule, ruleNow } }: { mute: Mute }) {
  const { openPublications } = useNavigation();
  const [, note] = usePublicationsPlace(workspaceId);
  const look = (): void => {
    note({ find: rule, chosen: null });
    openPublications('rules');
  };
  return (
    <Button
      size={ruleNow === 'changed' ? 'small' : 'normal'}
      look={ruleNow === 'changed' ? 'default' : 'quiet'}
      onPress={look}
    >
      {text.look}
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classNames(layout.grid12, styles.fact)}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const number = (count: number): string => count.toLocaleString('en');

/** English of mutes. */
export const text = {
  list: 'Mutes',
  line: (count: number, changed: number) =>
    [
      count === 1 ? '1 mute' : `${number(count)} mutes`,
      ...(changed > 0 ? [changed === 1 ? '1 rule changed since' : `${number(changed)} rules changed since`] : []),
    ].join(', '),
  rule: 'Rule',
  sample: 'Sample',
  everySample: 'every sample',
  reason: 'Reason',
  since: 'Since',
  until: 'Until',
  never: 'no end date',
  state: 'State',
  states: { inForce: 'in force', expired: 'expired', changed: 'rule changed', gone: 'rule missing' },
  emptyTitle: 'No mutes',
  emptySentence:
    'Mute a rule that hits samples you already know: in every sample or in one, with a reason and an end date.',
  emptyAction: 'Go to Rules',
  mute: (rule: string) => `Mute of ${rule}`,
  changedTitle: 'The rule has changed since it was muted',
  changedThen: 'The mute is still in force. Check whether its reason still applies.',
  goneTitle: 'The active package has no rule of this name',
  goneThen: 'The mute is kept in case the rule returns.',
  expiredTitle: 'This mute has expired',
  expiredThen: 'Set a new end date to mute the rule again.',
  look: 'Show rule',
  keep: 'Keep muted',
  edit: 'Edit',
  editThis: (rule: string) => `Edit mute of ${rule}`,
  unmute: 'Unmute',
} as const;

/** As many digits as tables show. */
const shortHash = 12;
const icons = { inForce: CircleCheck, expired: CircleDashed, gone: CircleDashed, changed: TriangleAlert } as const;

export const muteColumns: readonly GridColumn<Mute>[] = [
  {
    id: 'rule',
    title: text.rule,
    width: { flex: 3, min: 140 },
    isRowHeader: true,
    cell: ({ rule }) => (
      <code>
        <bdi>{visibleText(rule)}</bdi>
      </code>
    ),
  },
  { id: 'state', title: text.state, width: 120, cell: (mute) => <StateMark state={muteState(mute)} /> },
  {
    id: 'sample',
    title: text.sample,
    width: 92,
    leaves: 1,
    cell: ({ sample }) => (sample === null ? text.everySample : <code>{sample.slice(0, shortHash)}</code>),
  },
  {
    id: 'reason',
    title: text.reason,
    width: { flex: 3, min: 120 },
    leaves: 2,
    cell: ({ reason }) => <bdi title={visibleText(reason)}>{visibleText(reason)}</bdi>,
  },
  {
    id: 'since',
    title: text.since,
    get width() {
      return timeWidth(132);
    },
    leaves: 4,
    cell: ({ created }) => <TimeText sent={created} />,
  },
  {
    id: 'until',
    title: text.until,
    get width() {
      return timeWidth(132);
    },
    leaves: 3,
    cell: ({ expires }) => (expires === null ? text.never : <TimeText sent={expires} />),
  },
];

function StateMark({ state }: { state: MuteState }) {
  const Icon = icons[state];
  return (
    <span className={classNames(layout.row4, state === 'changed' && typography.warn)}>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.states[state]}
    </span>
  );
}

/** What a person has to know of a mute first. */
type MuteState = 'expired' | 'changed' | 'gone' | 'inForce';

export function muteState({ hasExpired, ruleNow }: Pick<Mute, 'hasExpired' | 'ruleNow'>): MuteState {
  if (hasExpired) return 'expired';
  return ruleNow === 'changed' || ruleNow === 'gone' ? ruleNow : 'inForce';
}

/** Those that want to be looked at come first; else in the order they are in. */
export function byAttention(mutes: readonly Mute[]): Mute[] {
  const place = (mute: Mute): number => (muteState(mute) === 'changed' ? 0 : 1);
  return mutes.toSorted((a, b) => place(a) - place(b));
}
