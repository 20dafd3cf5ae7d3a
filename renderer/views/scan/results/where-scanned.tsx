import { CircleCheck, EqualNot } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { z } from 'zod';
import { json, type Json } from '../../../../shared/domain/sample.ts';
import type { ScannedFile, ScanPackage, ScanResult } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { JsonTree } from '../../../components/json-tree.tsx';
import { LongText } from '../../../components/service-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './file.module.css';
import reply from './reply.module.css';
import { differenceOf } from './shown-hits.ts';
import { text } from './strings.ts';

/** Which side found how many rules, with what, and whether the two agree. */
export function WhereScanned({ file }: { file: ScannedFile }) {
  const [isReplyShown, showReply] = useState(false);
  if (file.results.length === 0) return null;
  const raw = file.results.find((result) => result.raw !== null)?.raw ?? null;
  const local = file.results.find(({ side }) => side === 'local');
  return (
    <section className={classNames(layout.stack8, layout.insetLine, styles.part)} aria-label={text.where}>
      <div className={classNames(layout.spread, styles.partHead)}>
        <h2 className={typography.title}>{text.where}</h2>
        {raw !== null && (
          <Button size="small" look="inline" onPress={() => showReply(true)}>
            {text.showReply}
          </Button>
        )}
      </div>
      <dl data-figures>
        {file.results
          .toSorted((one, other) => (one.side > other.side ? -1 : 1))
          .map((result) => (
            <Fact key={result.side} name={text.sides[result.side]}>
              {outcomeOf(result)}
            </Fact>
          ))}
        {local !== undefined && local.engine !== null && <Fact name={text.engine}>{text.engines[local.engine]}</Fact>}
        <Packages results={file.results} />
      </dl>
      <Agreement results={file.results} />
      {isReplyShown && raw !== null && <ReplyDialog raw={raw} onClose={() => showReply(false)} />}
    </section>
  );
}

function outcomeOf({ state, hits, elapsedMs }: ScanResult): ReactNode {
  if (state === 'failed') return <span className={typography.bad}>{text.sideFailed}</span>;
  if (state === 'not-understood') return <span className={typography.warn}>{text.sideUnknown}</span>;
  return text.rulesAndTime(hits.length, elapsedMs);
}

const versionOf = (used: ScanPackage | null): string | null => used?.version ?? null;

function Packages({ results }: { results: readonly ScanResult[] }) {
  const [one, other] = results;
  if (one === undefined) return null;
  if (other !== undefined && versionOf(one.package) !== null && versionOf(one.package) === versionOf(other.package))
    return <Fact name={text.packageBoth}>{words(one.package)}</Fact>;
  if (other === undefined) return <Fact name={text.package}>{words(one.package)}</Fact>;
  return results.map(({ side, package: used }) => (
    <Fact key={side} name={text.packageOf[side]}>
      {words(used)}
    </Fact>
  ));
}

function words(used: ScanPackage | null): ReactNode {
  const version = versionOf(used);
  return version === null ? (
    <span className={typography.faint}>{text.packageUnknown}</span>
  ) : (
    <bdi title={used?.rules === null || used === null ? undefined : text.rules(used.rules)}>{visibleText(version)}</bdi>
  );
}

/** Names the rules that one side found and the other did not. */
function Agreement({ results }: { results: readonly ScanResult[] }) {
  const difference = differenceOf(results);
  if (difference === null) return null;
  const { onlyLocal, onlyService } = difference;
  const count = onlyLocal.length + onlyService.length;
  const versions = new Set(results.map(({ package: used }) => versionOf(used)));
  if (count === 0)
    return (
      <p className={classNames(layout.row6, typography.note)}>
        <CircleCheck className={typography.ok} size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.agree}
      </p>
    );
  return (
    <div className={classNames(layout.flex8, styles.differs)} role="note">
      <EqualNot className={typography.warn} size={14} strokeWidth={1.6} aria-hidden="true" />
      <p>
        {text.differTitle(count)}.{onlyLocal.length > 0 && <bdi> {visibleText(text.onlyLocal(onlyLocal))}</bdi>}
        {onlyService.length > 0 && <bdi> {visibleText(text.onlyService(onlyService))}</bdi>}
        {versions.size > 1 && !versions.has(null) && ` ${text.otherPackages}`}
      </p>
    </div>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classNames(layout.grid12, styles.fact)}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const charactersShown = 4000;
const fields = z.record(z.string(), json);

/** What the service answered, as fields where it is JSON and as text where it is not, or is cut off. */
export function Reply({ raw }: { raw: string }) {
  const read = useMemo(() => readReply(raw), [raw]);
  if (read !== null)
    return (
      <div className={reply.tree}>
        <JsonTree label={text.replyLabel} value={read} />
      </div>
    );
  return (
    <>
      <p className={classNames(typography.note, reply.aside)}>{text.replyCut}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <pre className={reply.raw} tabIndex={0} aria-label={text.replyHead}>
        <bdi>
          <LongText text={visibleText(raw)} charactersShown={charactersShown} />
        </bdi>
      </pre>
    </>
  );
}

/** null: it is no JSON. A list or a single value has no name of its own. */
function readReply(raw: string): Readonly<Record<string, Json>> | null {
  const parsed = parsedJson(raw);
  if (parsed === undefined) return null;
  const object = Array.isArray(parsed) ? undefined : fields.safeParse(parsed).data;
  return object ?? { reply: parsed };
}

function parsedJson(raw: string): Json | undefined {
  try {
    return json.safeParse(JSON.parse(raw)).data;
  } catch {
    return undefined;
  }
}

function ReplyDialog({ raw, onClose }: { raw: string; onClose(): void }) {
  return (
    <Dialog
      title={text.replyTitle}
      isOpen
      wide
      onClose={onClose}
      actions={
        <>
          <CopyButton text={() => raw} label={text.copyReply} />
          <Button onPress={onClose} takesFocus>
            {text.close}
          </Button>
        </>
      }
    >
      <Reply raw={raw} />
    </Dialog>
  );
}
