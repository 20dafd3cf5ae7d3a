import { useState } from 'react';
import type { Bridge } from '../../../shared/bridge.ts';
import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import type { StagedFile } from '../../../shared/domain/staged-file.ts';
import { type Failure, type Result, success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useIsHere } from '../use-is-here.ts';
import { type BundleFile, shownName, useBundleDesk } from './bundle-desk.tsx';
import { text } from './text.ts';

interface OpenBundle {
  isOpening: boolean;
  /** Why the last try did not even begin. */
  failure: Failure | null;
  open(file: BundleFile, passphrase: string): void;
}

/**
 * Hands a file to the host, which then reads it. For a second try with another passphrase it is not handed over again.
 */
export function useOpenBundle(): OpenBundle {
  const bridge = useBridge();
  const { noteBegun, noteFile } = useBundleDesk();
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const toast = useToast();
  const isHere = useIsHere();
  const tell = (file: File, why: Failure): void => {
    if (isHere()) setFailure(why);
    else toast({ meaning: 'bad', text: text.notOpened(shownName(file.name), failureWords(why).what), failure: why });
  };
  const open = async ({ file, stagedId }: BundleFile, passphrase: string): Promise<void> => {
    setOpening(true);
    setFailure(null);
    const answer = await opened(bridge, file, stagedId, passphrase);
    setOpening(false);
    if (!answer.ok) return tell(file, answer.failure);
    noteFile({ file, stagedId: answer.value.stagedId, openingId: answer.value.opening.id });
    return noteBegun(answer.value.opening);
  };
  return { isOpening, failure, open: (file, passphrase) => void open(file, passphrase) };
}

interface Opened {
  stagedId: StagedFile['id'];
  opening: BundleOpening;
}

async function opened(
  bridge: Bridge<File>,
  file: File,
  known: string | null,
  passphrase: string,
): Promise<Result<Opened>> {
  const staged = known === null ? await bridge.stageFile(file) : success({ id: known });
  if (!staged.ok) return staged;
  const stagedId = staged.value.id;
  const answer = await bridge.call('bundles.open', { stagedId, passphrase });
  if (answer.ok) return success({ stagedId, opening: answer.value });
  // The host lets go of staged files after a while.
  return known !== null && answer.failure.kind === 'staged-file-missing'
    ? opened(bridge, file, null, passphrase)
    : answer;
}
