import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  countWithout,
  mostInOneRule,
  type ReportedSample,
  type SampleFormat,
  sampleFormats,
  sampleTextPieces,
} from '../../../shared/domain/sample-table.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { copyText } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu, type MenuChoice } from '../../components/menu.tsx';
import { useToast } from '../../components/toasts.tsx';
import { nextTask } from '../uploads/dropped-files.ts';
import { text } from './strings.ts';

/** A clipboard takes a text in one go, and some 20 MB of it within the 50 ms for which a page may block. */
const mostHashes = 100_000;
export const mostTableRows = 20_000;

/** More samples than so many are not copied in a format. */
const mostCopied: Readonly<Record<SampleFormat, number>> = {
  sha256: mostHashes,
  sha1: mostHashes,
  md5: mostHashes,
  hashes: mostHashes,
  csv: mostTableRows,
  json: mostTableRows,
  'json-lines': mostTableRows,
  markdown: mostTableRows,
  defanged: mostTableRows,
  yara: mostInOneRule,
};

/** @returns null where no sample has what is asked for */
export async function copiedSamples(
  samples: readonly ReportedSample[],
  format: SampleFormat,
): Promise<CopiedText | null> {
  const without = countWithout(samples, format);
  if (without === samples.length) return null;
  const count = samples.length - without;
  const words = await joinedInStints(sampleTextPieces(samples, format));
  return {
    words: count === 1 && isHashFormat(format) ? words.trimEnd() : words,
    news: text.copied(format, count, without),
  };
}

/** One of these alone is pasted into a field, which a line end could send off. */
const isHashFormat = (format: SampleFormat): boolean =>
  format === 'sha256' || format === 'sha1' || format === 'md5' || format === 'hashes';

/** What goes to the clipboard, and what is said of it. */
interface CopiedText {
  words: string;
  news: string;
}

/** So much of a frame may go into a text; then the page has its turn. */
const stintMs = 8;

/** Joins a long text without blocking the page. */
export async function joinedInStints(pieces: Iterable<string>): Promise<string> {
  const made: string[] = [];
  let began = performance.now();
  for (const piece of pieces) {
    made.push(piece);
    if (performance.now() - began < stintMs) continue;
    await nextTask();
    began = performance.now();
  }
  return made.join('');
}

/** Samples that are read when one of the choices was made. */
interface SamplesToRead {
  count: number;
  read(): Promise<Result<readonly ReportedSample[]>>;
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
  samples: readonly ReportedSample[] | SamplesToRead;
  /** Every format, unless the list lacks the data for some. */
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
          <Button letter={triggerLetter} isDisabled={offered.length === 0} why={text.noValue}>
            <Copy size={14} strokeWidth={1.6} aria-hidden="true" />
            <span data-label>{text.copy}</span>
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

interface Copying {
  /** Why what was to be copied could not be read. */
  failure: Failure | null;
  dismiss(): void;
  /**
   * One at a time: what is chosen meanwhile is not copied. `make` gives null where there is nothing to copy; when it
   * was cancelled nothing is said.
   */
  copy(make: () => Promise<Result<CopiedText | null>>): Promise<void>;
}

/** Copies texts that have to be read or joined first, and reports the result. */
function useCopying(): Copying {
  const toast = useToast();
  const [failure, setFailure] = useState<Failure | null>(null);
  const isBusy = useRef(false);
  const copy = async (make: () => Promise<Result<CopiedText | null>>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      const made = await make();
      if (!made.ok) return made.failure.kind === 'cancelled' ? undefined : setFailure(made.failure);
      if (made.value === null) return toast({ meaning: 'info', text: text.nothing });
      const { words, news } = made.value;
      toast((await copyText(words)) ? { meaning: 'ok', text: news } : { meaning: 'bad', text: text.refused });
    } finally {
      isBusy.current = false;
    }
  };
  return { failure, dismiss: () => setFailure(null), copy };
}
