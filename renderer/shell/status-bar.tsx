import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  FlaskConical,
  KeyRound,
  Lock,
  type LucideIcon,
  Package,
} from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import type { LabState, SecretsState } from '../../shared/domain/host.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { FailureKind } from '../../shared/failure-kinds.ts';
import { useOperation } from '../bridge/operations.ts';
import { describeFailure } from '../components/failure-format.ts';
import { cutMiddle, formatOtherZone, formatRecent, formatSecond, formatSize } from '../components/format.ts';
import { useLastAnswer, wasAnswered } from '../features/lookup/last-answer.tsx';
import { useActivePackage } from '../features/publications/publications-place.tsx';
import { useJobs } from '../state/jobs.tsx';
import { useWorkspaces } from '../state/workspaces.tsx';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './status-bar.module.css';
import { text } from './strings.ts';

type Meaning = 'bad' | 'warn';

/** Each part requests the data it shows. */
const parts = { ServiceState: memo(ServiceState), Rules: memo(Rules), Vault: memo(Vault), UtcClock: memo(UtcClock) };

/** States, never questions. */
export function StatusBar() {
  const { data: host } = useOperation('host.describe', {});
  const { current } = useWorkspaces();
  return (
    <footer className={classNames(layout.row, typography.smallNote, styles.bar)} aria-label={text.statusBar}>
      <parts.ServiceState />
      {host && current?.builtIn === true && <Lab lab={host.lab} />}
      <parts.Rules />
      <parts.Vault />
      <span className={layout.grow} />
      {host && <Secrets secrets={host.secrets} />}
      <parts.UtcClock />
    </footer>
  );
}

interface StateProps {
  Icon: LucideIcon;
  children: string;
  /** The same in fewer words, for a narrow window. */
  short?: string;
  /** In the narrowest windows its icon is enough, as long as nothing is wrong. */
  isQuiet?: boolean;
  /** It may be of any length: where not all of them fit, it is cut and the others stay whole. */
  yields?: boolean;
  meaning?: Meaning | undefined;
}

const State = memo(function State({
  Icon,
  children,
  short = children,
  isQuiet = false,
  yields = false,
  meaning,
}: StateProps) {
  const hasShort = short !== children;
  return (
    <span
      className={classNames(styles.state, yields && styles.yields, meaning ? styles[meaning] : isQuiet && styles.quiet)}
      title={children}
    >
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      <span className={classNames(typography.cut, styles.words, hasShort && styles.long)}>{children}</span>
      {hasShort && <span className={classNames(typography.cut, styles.words, styles.short)}>{short}</span>}
    </span>
  );
});

const reported: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'unknown-hash',
  'unknown-behind-warning',
  'needs-md5',
]);

/**
 * What the repository did when it was last asked: a page that asked nothing claims nothing but what a job of before
 * met.
 */
function ServiceState() {
  const { current } = useWorkspaces();
  const { answerOf } = useLastAnswer();
  if (current === null) return null;
  if (current.repository === null) return <State Icon={CircleDashed}>{text.noRepository}</State>;
  const answer = answerOf(current.id);
  if (answer === null) return <AnswerBefore workspaceId={current.id} />;
  const { failure } = answer;
  // "I do not know this hash" is an answer like any other.
  if (failure === null || reported.has(failure.kind)) return <State Icon={CircleCheck}>{text.answers}</State>;
  return (
    <State Icon={CircleAlert} meaning="bad" yields>
      {describeFailure(failure).what}
    </State>
  );
}

function AnswerBefore({ workspaceId }: { workspaceId: string }) {
  const times = useJobs().flatMap((job) =>
    job.workspaceId === workspaceId && job.state === 'done' && job.ended !== null && wasAnswered(job)
      ? [job.ended]
      : [],
  );
  const last = times.toSorted().at(-1);
  return <State Icon={CircleDashed}>{last === undefined ? text.notAsked : text.answered(formatRecent(last))}</State>;
}

function Lab({ lab }: { lab: LabState }) {
  const state = lab.failure?.kind === 'lab-failed' ? text.labFailed : text.lab[lab.state];
  const words = lab.restarts > 0 ? `${state}, ${text.restarted(lab.restarts)}` : state;
  const meaning = lab.state === 'stopped' ? 'bad' : lab.state === 'restarting' ? 'warn' : undefined;
  return (
    <State Icon={FlaskConical} meaning={meaning} short={state} isQuiet>
      {words}
    </State>
  );
}

/** A service's words may have any length: the other entries stay legible. */
const longestWord = 28;

/** What is in use; without a package nothing is said. */
function Rules() {
  const active = useActivePackage();
  if (active === null) return null;
  const { group, version, contents } = active;
  const [shownGroup, shownVersion] = [group && cutMiddle(group, longestWord), cutMiddle(version, longestWord)];
  return (
    <State Icon={Package} short={visibleText(text.activeVersion(shownGroup, shownVersion))} yields>
      {visibleText(text.activePackage(shownGroup, shownVersion, contents?.rules ?? 0))}
    </State>
  );
}

function Vault() {
  const { data } = useOperation('library.count', {});
  if (!data) return null;
  if (data.inVault === 0) return <State Icon={Lock}>{text.vaultEmpty}</State>;
  return (
    <State Icon={Lock} short={text.inVault(data.inVault)}>
      {text.vault(formatSize(data.vaultBytes), data.inVault)}
    </State>
  );
}

function Secrets({ secrets }: { secrets: SecretsState }) {
  if (secrets.state !== 'open')
    return (
      <State Icon={KeyRound} meaning="warn">
        {text.secrets[secrets.state]}
      </State>
    );
  if (secrets.store === 'keychain')
    return (
      <State Icon={KeyRound} isQuiet yields>
        {text.secrets.keychain(secrets.backend)}
      </State>
    );
  if (secrets.store === 'sealed-file')
    return (
      <State Icon={KeyRound} isQuiet>
        {text.secrets.sealed}
      </State>
    );
  return (
    <State Icon={KeyRound} short={text.secrets.inMemory} isQuiet>
      {text.secrets.memory}
    </State>
  );
}

function UtcClock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time
      dateTime={now.toISOString()}
      title={[text.clock, formatOtherZone(now)].filter((part) => part !== null).join(', ')}
      role="timer"
      aria-live="off"
    >
      {formatSecond(now)}
    </time>
  );
}
