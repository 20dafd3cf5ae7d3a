import { Tag } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { useTagSuggestions } from '../../app/use-tag-suggestions.ts';
import { Button } from '../../components/button.tsx';
import { TagField } from '../../components/tag-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';
import styles from './upload.module.css';

const meant = { kind: 'ticked' } as const;

/** Tags for every ticked file, as they are typed; what was added here can be taken off again. */
export function TagTicked({ draft, summary: { ticked, tickedSamples } }: { draft: Draft; summary: UploadDraft }) {
  const title = text.addTagTitle(tickedSamples, ticked);
  return (
    <DialogTrigger>
      <Button letter="T" isDisabled={tickedSamples === 0}>
        <Tag size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.addTag}
      </Button>
      <Popover
        className={classNames(surface.popover, styles.popover)}
        placement="bottom start"
        offset={4}
        containerPadding={8}
      >
        <Dialog className={classNames(styles.tagDialog)} aria-label={title}>
          <AddedTags draft={draft} title={title} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function AddedTags({ draft: { writes }, title }: { draft: Draft; title: string }) {
  const suggest = useTagSuggestions();
  const [added, setAdded] = useState<readonly string[]>([]);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={field} className={layout.stack8}>
      <TagField
        label={title}
        tags={added}
        suggest={suggest}
        onAdd={(tag) => {
          setAdded((before) => [...before, tag]);
          void writes.change(meant, { addTags: [tag] });
        }}
        onRemove={(tag) => {
          setAdded((before) => before.filter((each) => each !== tag));
          void writes.change(meant, { removeTags: [tag] });
        }}
        onTlp={(tlp) => void writes.change(meant, { tlp })}
      />
      <p className={typography.hint}>{text.addTagHint}</p>
    </div>
  );
}
