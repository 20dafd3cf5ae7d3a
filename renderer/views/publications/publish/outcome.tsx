import type { OperationOutput } from '../../../../shared/contract.ts';
import type { BrokenRule } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './publish.module.css';
import { text } from './strings.ts';

/** A package of only broken rules names them all; more of them are not readable here. */
const shownAtMost = 100;

interface OutcomeProps {
  workspaceId: string;
  failure: Failure | null;
  result: OperationOutput<'lab.publish'> | null;
}

/** How the publishing came out. */
export function Outcome({ workspaceId, failure, result }: OutcomeProps) {
  if (failure !== null)
    return (
      <div className={styles.reported}>
        <FailureNotice failure={failure} />
      </div>
    );
  if (result === null) return null;
  return (
    <div className={styles.reported}>
      {result.published === null ? (
        <Broken broken={result.broken} />
      ) : (
        <Published workspaceId={workspaceId} published={result.published} />
      )}
    </div>
  );
}

function Broken({ broken }: { broken: readonly BrokenRule[] }) {
  const rest = broken.length - shownAtMost;
  return (
    <>
      <Notice meaning="bad" title={text.brokenTitle(broken.length)} isAlert>
        {text.brokenThen}
      </Notice>
      <ul className={styles.broken}>
        {broken.slice(0, shownAtMost).map(({ rule, file, line, text: words }, at) => (
          <li key={at} className={classNames(layout.grid12, styles.brokenRule)}>
            <code className={typography.muted}>
              <bdi>{visibleText(text.brokenAt(file, line))}</bdi>
            </code>
            <span>
              {rule !== null && (
                <>
                  <code>
                    <bdi>{visibleText(rule)}</bdi>
                  </code>
                  :{' '}
                </>
              )}
              <bdi>{visibleText(words)}</bdi>
            </span>
          </li>
        ))}
        {rest > 0 && <li className={classNames(layout.grid12, styles.brokenRule)}>{text.brokenRest(rest)}</li>}
      </ul>
    </>
  );
}

function Published({
  workspaceId,
  published: { version, group, files, rules },
}: {
  workspaceId: string;
  published: NonNullable<OperationOutput<'lab.publish'>['published']>;
}) {
  const { openPublications } = useNavigation();
  const { data: state } = useOperation('publications.state', { workspaceId });
  const check = useAction('publications.check');
  const isSeen = group === 'Release' || (state?.options.includeTest ?? false);
  const ask = (): void => check.mutate({ workspaceId }, { onSuccess: () => openPublications('updates') });
  if (check.error !== null)
    return (
      <FailureNotice
        failure={check.error}
        retry={{ name: 'publications.check', input: { workspaceId } }}
        onRetry={ask}
      />
    );
  return (
    <Notice
      meaning="ok"
      title={text.publishedTitle(version, group)}
      actions={
        <Button size="small" isDisabled={check.isPending} onPress={ask}>
          {text.check}
        </Button>
      }
      isAlert
    >
      {isSeen ? text.publishedThen(files, rules) : text.publishedUnseen(files, rules)}
    </Notice>
  );
}
