import type { ByteStrip } from '../../shared/domain/byte-strip.ts';

export interface ByteStripBarProps {
  /** null while it is not known. */
  strip: ByteStrip | null;
  size: 'row' | 'inspector';
}

export function ByteStripBar({ strip }: ByteStripBarProps) {
  return <span>{strip}</span>;
}
