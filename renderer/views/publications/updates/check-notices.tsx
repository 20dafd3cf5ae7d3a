import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { FailureRemedy, meaningOf } from '../../../app/failure-remedy.tsx';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { text } from './text.ts';
import { isOfOlderFile } from './update-step.ts';
import { useUpdatesDesk } from './updates-desk.tsx';

/** What became of the last check where it came to nothing, until there is another one. */
export function CheckNotices({ state }: { state: PublicationsState }) {
  const { check, lastCheck, hasRuleEditor } = state;
  const { checkFailure } = useUpdatesDesk();
  if (check !== null) return null;
  if (checkFailure !== null) return <Failed failure={checkFailure} canCheck={false} />;
  if (isOfOlderFile(state)) return null;
  // A check is no second try of a file.
  if (lastCheck?.outcome === 'failed' && lastCheck.failure !== null)
    return <Failed failure={lastCheck.failure} canCheck={hasRuleEditor && lastCheck.file === undefined} />;
  return lastCheck?.outcome === 'unsure' ? (
    <Unsure missing={lastCheck.missing.map((field) => text.fields[field])} hasReply={lastCheck.reply !== null} />
  ) : null;
}

function Failed({ failure, canCheck }: { failure: Failure; canCheck: boolean }) {
  const { workspaceId, check, show } = useUpdatesDesk();
  const remedy =
    failure.kind === 'archive-password' ? (
      <Button size="small" onPress={() => show('settings')}>
        {text.openUpdateSettings}
      </Button>
    ) : (
      <FailureRemedy failure={failure} />
    );
  return (
    <div className={classNames(layout.insetLine, layout.fixed)}>
      <FailureNotice
        failure={failure}
        meaning={meaningOf(failure)}
        retry={canCheck ? { name: 'publications.check', input: { workspaceId } } : undefined}
        onRetry={check}
        action={remedy}
      />
    </div>
  );
}

function Unsure({ missing, hasReply }: { missing: readonly string[]; hasReply: boolean }) {
  const { show } = useUpdatesDesk();
  return (
    <div className={classNames(layout.insetLine, layout.fixed)}>
      <Notice
        meaning="warn"
        title={text.unsureTitle}
        isAlert
        actions={
          hasReply && (
            <Button size="small" onPress={() => show('reply')}>
              {text.showReply}
            </Button>
          )
        }
      >
        {text.unsureThen(missing.join(', '))}
      </Notice>
    </div>
  );
}
