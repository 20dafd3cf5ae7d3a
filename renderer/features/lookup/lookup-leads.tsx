import { Library, Search, Upload } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { type FoundHash, md5 } from '../../../shared/domain/hash.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { Button } from '../../components/button.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaceNames } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { useServerSearch } from '../library/library-place.tsx';
import { useServerActions } from '../servers/server-actions.tsx';
import { useLookupStore } from './lookup-store.tsx';
import styles from './lookup-leads.module.css';
import { text } from './strings.ts';

interface LookupLeadsProps {
  failure: Failure;
  hash: FoundHash;
  workspaceId: string;
  /** The library has the sample: there is nothing to search it for. */
  isKnownHere: boolean;
}

/** What else can be tried where a service has no answer to a hash, or cannot be asked for it. */
export function LookupLeads({ failure: { kind }, hash, workspaceId, isKnownHere }: LookupLeadsProps) {
  const { openLibrary, openView } = useNavigation();
  const { isUsable } = useServerActions(workspaceId);
  const searchServer = useServerSearch();
  const nameOf = useWorkspaceNames();
  if (kind !== 'needs-md5' && kind !== 'unknown-hash' && kind !== 'unknown-behind-warning') return null;
  const canSearch = hash.kind === 'sha256' && isUsable('getfiles');
  return (
    <div className={classNames(layout.stack, styles.leads)}>
      {kind === 'needs-md5' && <Md5Form />}
      <div className={layout.wrapRow8}>
        {canSearch && (
          <Button size="small" onPress={() => searchServer({ workspaceId, field: 'sha256', text: hash.value })}>
            <Search size={14} strokeWidth={1.6} aria-hidden="true" />
            <bdi>{text.searchAt(nameOf(workspaceId))}</bdi>
          </Button>
        )}
        {!isKnownHere && (
          <Button size="small" onPress={() => openLibrary(hash.value)}>
            <Library size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.searchLibrary}
          </Button>
        )}
        {kind !== 'needs-md5' && (
          <Button size="small" onPress={() => openView('upload')}>
            <Upload size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.upload}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The MD5 of the same sample, from wherever the person has it. */
function Md5Form() {
  const id = useId();
  const { lookUpText } = useLookupStore();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = md5.safeParse(typed.trim().toLowerCase());
    setWrong(!read.success);
    if (read.success) lookUpText(read.data);
  };
  return (
    <form className={layout.wrapRow8} onSubmit={submit}>
      <label htmlFor={id} className={typography.label}>
        {text.itsMd5}
      </label>
      <input
        id={id}
        className={classNames(surface.input, styles.md5)}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onChange={(event) => {
          setTyped(event.target.value);
          setWrong(false);
        }}
      />
      <Button size="small" type="submit">
        {text.lookUp}
      </Button>
      {isWrong && (
        <p id={`${id}-wrong`} role="alert" className={styles.wrong}>
          {text.notAnMd5}
        </p>
      )}
    </form>
  );
}
