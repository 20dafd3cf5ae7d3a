import type { PackageView } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { PackageFacts } from './package-facts.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './compare.module.css';
import panes from './updates.module.css';

/** Kept as it was received, and why it cannot be opened here. */
export function UnopenedPackage({ shown }: { shown: PackageView }) {
  const { show, packageFailure } = useUpdatesDesk();
  const failure = shown.failure ?? ({ kind: 'package-unreadable', sha256: shown.sha256, text: '' } as const);
  const remedy = failure.kind === 'archive-password' && (
    <Button size="small" onPress={() => show('settings')}>
      {text.openUpdateSettings}
    </Button>
  );
  return (
    <section className={classNames(layout.pane, panes.compare)} data-pane aria-label={text.compare}>
      <div className={classNames(layout.row, styles.compareHead)}>
        <h2 className={classNames(typography.viewTitle, typography.anywhere)}>
          <bdi>{shortVersion(shown.version)}</bdi>
        </h2>
      </div>
      <div className={classNames(layout.stack8, styles.notices)}>
        {packageFailure !== null && <FailureNotice failure={packageFailure} />}
        <FailureNotice
          failure={failure}
          after={failure.kind === 'package-unreadable' ? undefined : text.keptUnopened}
          action={remedy}
        />
      </div>
      <PackageFacts shown={shown} />
    </section>
  );
}
