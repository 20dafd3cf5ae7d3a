import { defang } from '../../../../shared/domain/defang.ts';
import type { SampleNote } from '../../../../shared/domain/library.ts';
import { knownWords } from '../../../../shared/domain/scan-table.ts';
import type { SampleHit } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { cutMiddle } from '../../../components/format.ts';
import { TimeText } from '../../../components/service-text.tsx';
import { Value } from '../../../features/library/value-menu.tsx';
import { useWorkspaces } from '../../../state/workspaces.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import styles from './inspector.module.css';

const shownHits = 8;
const longestRule = 40;
const longestAuthor = 32;
/** What a glance takes in, in characters. */
const longestText = 280;

/** What rules of the workspace one is in found in it. */
export function RuleHits({ sha256 }: { sha256: string }) {
  const workspaceId = useWorkspaces().current?.id ?? '';
  const { data, error } = useOperation('samples.hits', { workspaceId, sha256 }, { enabled: workspaceId !== '' });
  if (error !== null) return <ReadFailure failure={error} of="samples.hits" />;
  if (data === undefined) return null;
  const rules = [...mostMatches(data.hits)];
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <h3 className={typography.title}>{text.hits}</h3>
      {rules.length === 0 && <p className={typography.faint}>{text.noHits}</p>}
      {rules.length === 0 &&
        data.known !== null &&
        knownWords(data.known).map((words) => (
          <p key={words}>
            <bdi>{visibleText(words)}</bdi>
          </p>
        ))}
      <ul className={styles.hits}>
        {rules.slice(0, shownHits).map(([rule, matches]) => (
          <li key={rule}>
            <code className={classNames(typography.cut, layout.grow, typography.code)} title={visibleText(rule)}>
              <Value field="rule" value={rule} workspaceId={workspaceId}>
                <bdi>{visibleText(cutMiddle(rule, longestRule))}</bdi>
              </Value>
            </code>
            <span className={classNames(typography.smallHint, layout.fixed)} data-figures>
              {text.matches(matches)}
            </span>
          </li>
        ))}
      </ul>
      {rules.length > shownHits && <p className={typography.faint}>{text.moreHits(rules.length - shownHits)}</p>}
    </section>
  );
}

/** A rule once, whichever sides it hit on: the sample's page distinguishes them. */
function mostMatches(hits: readonly SampleHit[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const { rule, matches } of hits) most.set(rule, Math.max(matches, most.get(rule) ?? 0));
  return most;
}

/** How the note begins, as it was typed. */
export function Note({ note }: { note: SampleNote }) {
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <div className={classNames(layout.spreadRow, styles.titleLine)}>
        <h3 className={typography.title}>{text.noteOf}</h3>
        <span className={classNames(typography.smallHint, layout.fixed)}>
          <TimeText sent={note.changed} />
        </span>
      </div>
      <p className={styles.prose} dir="auto">
        {beginning(visibleText(note.text))}
      </p>
    </section>
  );
}

/** What was said last, in the workspace one is in. */
export function LastComment({ md5, count }: { md5: string; count: number }) {
  const workspaceId = useWorkspaces().current?.id ?? '';
  const { data, error } = useOperation('comments.thread', { workspaceId, md5 }, { enabled: workspaceId !== '' });
  const last = data?.comments.toSorted((one, other) => (one.created ?? '').localeCompare(other.created ?? '')).at(-1);
  if (error !== null) return <ReadFailure failure={error} of="comments.thread" />;
  if (last === undefined) return null;
  const author = last.own === null ? last.author : text.you;
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <div className={classNames(layout.spreadRow, styles.titleLine)}>
        <h3 className={typography.title}>{text.lastComment}</h3>
        <span className={classNames(typography.smallHint, layout.fixed)} data-figures>
          {text.comments(count)}
        </span>
      </div>
      <p className={styles.prose} dir="auto">
        <bdi className={typography.strong}>
          {author === null ? text.unnamedAuthor : visibleText(cutMiddle(author, longestAuthor))}
        </bdi>{' '}
        {defang(beginning(visibleText(last.content)))}
      </p>
    </section>
  );
}

const beginning = (words: string): string =>
  words.length > longestText ? `${words.slice(0, longestText).toWellFormed()}…` : words;
