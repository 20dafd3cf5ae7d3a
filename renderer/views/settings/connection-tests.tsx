import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { type ConnectionTest, foundActions } from '../../../shared/domain/server-action.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './strings.ts';

interface ConnectionTestsProps {
  tests: readonly ConnectionTest[];
  /** Whether the workspace allows actions beyond the documented ones. */
  mayUse: boolean;
}

/** Three lines a service, and why one of them does not hold. */
export function ConnectionTests({ tests, mayUse }: ConnectionTestsProps) {
  if (tests.length === 0)
    return (
      <p className={typography.sentence} role="status">
        {text.nothingToTest}
      </p>
    );
  return (
    <div className={classNames(layout.stack8, styles.tests)} role="status">
      {tests.map((test) => (
        <section key={test.service} aria-label={text.services[test.service]}>
          <h4 className={styles.testTitle}>{text.services[test.service]}</h4>
          <ul>
            <Line
              holds={test.reachable}
              yes={text.tests.reachable}
              no={text.tests.notReachable}
              unknown={text.tests.notReachable}
            />
            <Line
              holds={test.trusted}
              yes={text.tests.trusted}
              no={text.tests.notTrusted}
              unknown={text.tests.trustUnknown}
            />
            <Line
              holds={test.tokenAccepted}
              yes={text.tests.tokenAccepted}
              no={text.tests.tokenNotAccepted}
              unknown={text.tests.tokenUnknown}
            />
          </ul>
          <Actions actions={test.actions} mayUse={mayUse} />
          {test.failure && <FailureNotice failure={test.failure} />}
        </section>
      ))}
    </div>
  );
}

/** What can be used at this server and what is missing: which of them a view needs is said there. */
function Actions({ actions, mayUse }: Pick<ConnectionTest, 'actions'> & Pick<ConnectionTestsProps, 'mayUse'>) {
  const found = foundActions(actions, mayUse);
  return (
    <ul>
      {(['usable', 'turnedOff', 'missing'] as const).map((list) => {
        const line = `${text.actions[list]}: ${found[list].map((action) => text.actions.words[action]).join(', ')}`;
        return (
          found[list].length > 0 && <Line key={list} holds={list === 'usable' || null} yes={line} unknown={line} />
        );
      })}
    </ul>
  );
}

function Line({ holds, yes, no, unknown }: { holds: boolean | null; yes: string; no?: string; unknown: string }) {
  const Icon = holds === null ? CircleDashed : holds ? CircleCheck : CircleX;
  return (
    <li
      className={classNames(
        layout.row6,
        typography.hint,
        styles.test,
        holds === true && styles.ok,
        holds === false && styles.bad,
      )}
    >
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {holds === null ? unknown : holds ? yes : no}
    </li>
  );
}
