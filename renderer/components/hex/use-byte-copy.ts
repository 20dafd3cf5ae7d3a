import { useEffect, useState } from 'react';
import { type ByteSource, mostBytesARead } from '../../../shared/domain/byte-view.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { copyText } from '../use-copy.ts';
import { asText } from './cursor-values.ts';
import type { Stretch } from './mark-spans.ts';
import { hexOf } from './offsets.ts';
import { text } from './text.ts';
import { bytesOf } from './use-byte-pages.ts';

const shownForMs = 2000;

export type CopyAs = 'hex' | 'text';

/**
 * Copies bytes, which need not be in sight, and says for two seconds what became of it. Empty: nothing is to be said.
 */
export function useByteCopy(source: ByteSource): { said: string; copy(stretch: Stretch, as: CopyAs): void } {
  const bridge = useBridge();
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), shownForMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copied = async ({ start, end }: Stretch, as: CopyAs): Promise<string> => {
    if (end - start > mostBytesARead) return text.copyTooLong;
    const read = await bridge.call('bytes.read', { source, window: { offset: start, length: end - start } });
    if (!read.ok) return text.copyFailed;
    const bytes = bytesOf(read.value.base64);
    return (await copyText(as === 'hex' ? Array.from(bytes, hexOf).join(' ') : asText(bytes)))
      ? text.copied(bytes.length)
      : text.copyFailed;
  };
  return { said, copy: (stretch, as) => void copied(stretch, as).then(setSaid) };
}
