import { type ReactNode, useState } from 'react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useMuteNews } from '../../../app/mutes/use-mute-news.ts';
import { useNavigation } from '../../../app/navigation.tsx';
import { usePublicationsPlace } from '../../../app/publications/publications-place.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { StateMark } from './mute-columns.tsx';
import { type MuteState, muteState } from './mute-state.ts';
import styles from './mutes.module.css';
import { text } from './text.ts';

/** For so long a press is still one of those that were for the mute before. */
const restMs = 500;

export interface MutePaneProps {
  mute: Mute;
  /** It stands where the one was that is gone: nobody went to it. */
  cameByItself: boolean;
  onEdit(): void;
}

/** A mute, and what can be done with it. */
export function MutePane({ mute, cameByItself, onEdit }: MutePaneProps) {
  const remove = useAction('mutes.remove');
  const { tellUnmuted } = useMuteNews();
  const [restsUntil] = useState(() => (cameByItself ? performance.now() + restMs : 0));
  const unmute = async (): Promise<void> => {
    if (performance.now() < restsUntil) return;
    // Told wherever one is by then: the pane may be that of another mute. A failure is shown in it.
    await remove.mutateAsync({ id: mute.id }).then(
      () => tellUnmuted(mute),
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
      <dl className={styles.facts}>
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
