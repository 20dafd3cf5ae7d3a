import { Copy } from 'lucide-react';
import {
  countWithout,
  type SampleFormat,
  sampleFormats,
  type ToldSample,
} from '../../../shared/domain/sample-table.ts';
import { type Result, success } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu, type MenuChoice } from '../../components/menu.tsx';
import { copiedSamples, mostCopied } from './copied-samples.ts';
import type { CopiedText } from './copied-text.ts';
import { text } from './text.ts';
import { useCopying } from './use-copying.ts';

/** Samples that are read when one of the choices was made. */
export interface SamplesToRead {
  count: number;
  read(): Promise<Result<readonly ToldSample[]>>;
}

/** What a view copies besides samples. */
export interface OwnCopy {
  id: string;
  text: string;
  /** More rows than so many are not copied. */
  most?: number;
  /** null: there is nothing to copy. */
  copied(): Promise<Result<CopiedText | null>>;
}

export interface CopySamplesMenuProps {
  samples: readonly ToldSample[] | SamplesToRead;
  /** Every format, unless the list tells too little for some. */
  formats?: readonly SampleFormat[];
  /** Before the samples, and after them. */
  first?: readonly OwnCopy[];
  last?: readonly OwnCopy[];
  /** Which samples are meant, at the end of the first line. */
  scope?: string;
  triggerLetter?: string;
}

/** Copies samples in any format, and what a view has of its own. What there is none of is not offered. */
export function CopySamplesMenu({
  samples,
  formats = sampleFormats,
  first = [],
  last = [],
  scope,
  triggerLetter,
}: CopySamplesMenuProps) {
  const { failure, dismiss, copy } = useCopying();
  const toRead = 'read' in samples ? samples : { count: samples.length, read: async () => success(samples) };
  const offered = [...first, ...offeredFormats(samples, formats).map((format) => ownOf(toRead, format)), ...last];
  return (
    <>
      <Menu
        label={text.menu}
        choices={offered.map((each, at) => choiceOf(each, toRead.count, at === 0 ? scope : undefined))}
        onChoose={(id) => {
          const chosen = offered.find((each) => each.id === id);
          if (chosen) void copy(chosen.copied);
        }}
        trigger={
          <Button letter={triggerLetter} isDisabled={offered.length === 0}>
            <Copy size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.copy}
          </Button>
        }
      />
      {failure && (
        <Dialog
          title={text.menu}
          isOpen
          onClose={dismiss}
          actions={
            <Button onPress={dismiss} takesFocus>
              {text.close}
            </Button>
          }
        >
          <FailureNotice failure={failure} />
        </Dialog>
      )}
    </>
  );
}

function offeredFormats(
  samples: CopySamplesMenuProps['samples'],
  formats: readonly SampleFormat[],
): readonly SampleFormat[] {
  if ('read' in samples) return samples.count === 0 ? [] : formats;
  return formats.filter(
    (format) => samples.length > countWithout(samples, format) && !(format === 'hashes' && samples.length === 1),
  );
}

const ownOf = ({ count, read }: SamplesToRead, format: SampleFormat): OwnCopy => ({
  id: `samples-${format}`,
  text: (count === 1 ? text.one : text.many)[format],
  most: mostCopied[format],
  copied: async () => {
    const known = await read();
    return known.ok ? success(await copiedSamples(known.value, format)) : known;
  },
});

function choiceOf({ id, text: words, most = Infinity }: OwnCopy, count: number, scope: string | undefined): MenuChoice {
  if (count > most) return { id, text: words, aside: text.atMost(most), isDisabled: true };
  return { id, text: words, ...(scope === undefined ? {} : { aside: scope }) };
}
