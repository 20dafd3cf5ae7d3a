import type { TlpLevel } from '../../shared/domain/tlp.ts';

export interface TlpSelectProps {
  label: string;
  /** null: none. */
  level: TlpLevel | null;
  onChange(level: TlpLevel | null): void;
  isDisabled?: boolean;
  size?: 'row' | 'normal';
}

export function TlpSelect({ label }: TlpSelectProps) {
  return <span>{label}</span>;
}
