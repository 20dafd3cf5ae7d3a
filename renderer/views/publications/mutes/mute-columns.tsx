import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { TimeText } from '../../../components/time-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { type MuteState, muteState } from './mute-state.ts';
import { text } from './text.ts';

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
  { id: 'since', title: text.since, width: 132, leaves: 4, cell: ({ created }) => <TimeText sent={created} /> },
  {
    id: 'until',
    title: text.until,
    width: 132,
    leaves: 3,
    cell: ({ expires }) => (expires === null ? text.never : <TimeText sent={expires} />),
  },
];

export function StateMark({ state }: { state: MuteState }) {
  const Icon = icons[state];
  return (
    <span className={classNames(layout.row4, state === 'changed' && typography.warn)}>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.states[state]}
    </span>
  );
}
