import { useMemo } from 'react';
import { z } from 'zod';
import { json, type Json } from '../../../../shared/domain/sample.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { JsonTree } from '../../../components/json-tree.tsx';
import { LongText } from '../../../components/long-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './reply.module.css';
import { text } from './text.ts';

const charactersShown = 4000;
const fields = z.record(z.string(), json);

/** What the service answered, as fields where it is JSON and as text where it is not, or is cut off. */
export function Reply({ raw }: { raw: string }) {
  const read = useMemo(() => readReply(raw), [raw]);
  if (read !== null)
    return (
      <div className={styles.tree}>
        <JsonTree label={text.replyLabel} value={read} />
      </div>
    );
  return (
    <>
      <p className={classNames(typography.note, styles.aside)}>{text.replyCut}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <pre
        className={classNames(surface.block, typography.asWritten, styles.raw)}
        tabIndex={0}
        aria-label={text.replyHead}
      >
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

export function ReplyDialog({ raw, onClose }: { raw: string; onClose(): void }) {
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
