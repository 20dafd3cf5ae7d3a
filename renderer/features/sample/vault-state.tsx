import { CircleDashed, type LucideIcon, ShieldCheck, ShieldX } from 'lucide-react';
import type { VaultState } from '../../../shared/domain/library.ts';
import { Notice } from '../../components/notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import parts from './parts.module.css';
import styles from './vault-state.module.css';
import type { ShownSample } from './shown-sample.ts';
import { text } from './text.ts';

const icons: Record<VaultState, LucideIcon> = {
  none: CircleDashed,
  held: ShieldCheck,
  missing: ShieldX,
  altered: ShieldX,
};

/** Where the sample's bytes are. */
export function VaultStateWords({ vault }: { vault: VaultState }) {
  const Icon = icons[vault];
  return (
    <p
      className={classNames(
        styles.vault,
        vault === 'held' && styles.inVault,
        (vault === 'missing' || vault === 'altered') && styles.damaged,
      )}
      role="status"
    >
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.vault[vault]}
    </p>
  );
}

/**
 * What it means that the vault's copy is no copy any more. The head of the page has the button that fetches it again.
 */
export function DamagedNotice({ sample: { vault, md5 } }: { sample: ShownSample }) {
  if (vault !== 'missing' && vault !== 'altered') return null;
  const { title, then } = text.damage[vault];
  return (
    <div className={parts.told}>
      <Notice meaning="bad" title={title} isAlert>
        {`${then} ${md5 === null ? text.noRepair : text.repairByDownload}`}
      </Notice>
    </div>
  );
}
