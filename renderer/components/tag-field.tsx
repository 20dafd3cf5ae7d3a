import type { TlpLevel } from '../../shared/domain/tlp.ts';

export interface TagFieldProps {
  label: string;
  tags: readonly string[];
  onAdd(tag: string): void;
  onRemove(tag: string): void;
  suggest(beginning: string): Promise<readonly string[]>;
  isDisabled?: boolean;
  size?: 'row' | 'normal';
  placeholder?: string;
  onTlp?: (level: TlpLevel) => void;
}

export function TagField({ label }: TagFieldProps) {
  return <span>{label}</span>;
}
