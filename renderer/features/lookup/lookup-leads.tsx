import { ArrowLeftRight, Library, Search, Upload } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { type FoundHash, md5 } from '../../../shared/domain/hash.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { Button } from '../../components/button.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSwitchWorkspace, useWorkspaceNames, useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { useServerSearch } from '../library/server-search.ts';
import { useLookupStore } from './lookup-store.tsx';
import styles from './lookup-leads.module.css';
import { text } from './strings.ts';

interface LookupLeadsProps {
  failure: Failure;
  hash: FoundHash;
  workspaceId: string;
  /** What the library has of the sample; null: it does not know it. */
  known: KnownHere | null;
}

interface KnownHere {
  /** The workspaces with a record of it. */
  recordedAt: readonly string[];
  /** Its bytes are in the vault. */
  isHeld: boolean;
}

/** In the order of the workspaces. */
const mostElsewhere = 3;

/** What else can be tried where a service has no answer to a hash, or cannot be asked for it. */
export function LookupLeads({ failure: { kind }, hash, workspaceId, known }: LookupLeadsProps) {
  const { openLibrary, openView } = useNavigation();
  const searchServer = useServerSearch(workspaceId);
  const nameOf = useWorkspaceNames();
  if (kind !== 'needs-md5' && kind !== 'unknown-hash' && kind !== 'unknown-behind-warning') return null;
  return (
    <div className={classNames(layout.stack, styles.leads)}>
      {kind === 'needs-md5' && <Md5Form insteadOf={hash} />}
      <div className={layout.wrapRow8}>
        {kind !== 'needs-md5' && <LookUpElsewhere workspaceId={workspaceId} recordedAt={known?.recordedAt ?? []} />}
        {hash.kind === 'sha256' && searchServer !== null && (
          <Button size="small" onPress={() => searchServer('sha256', hash.value)}>
            <Search size={14} strokeWidth={1.6} aria-hidden="true" />
            <bdi>{text.searchAt(nameOf(workspaceId))}</bdi>
          </Button>
        )}
        {known === null && (
          <Button size="small" onPress={() => openLibrary(hash.value)}>
            <Library size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.searchLibrary}
          </Button>
        )}
        {kind !== 'needs-md5' && (known === null || known.isHeld) && (
          <Button size="small" onPress={() => openView('upload')}>
            <Upload size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.upload}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Looks the hash up in the workspaces that are known to have it: each becomes the current one. */
function LookUpElsewhere({ workspaceId, recordedAt }: { workspaceId: string; recordedAt: readonly string[] }) {
  const { lookUpAt } = useLookupStore();
  const { workspaces } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  const nameOf = useWorkspaceNames();
  const switchAndLookUp = async (id: string): Promise<void> => {
    if (await switchTo(id)) lookUpAt(id);
  };
  const others = workspaces.filter(({ id }) => id !== workspaceId && recordedAt.includes(id));
  return others.slice(0, mostElsewhere).map(({ id }, index) => (
    <Button key={id} size="small" look={index === 0 ? 'primary' : 'default'} onPress={() => void switchAndLookUp(id)}>
      <ArrowLeftRight size={14} strokeWidth={1.6} aria-hidden="true" />
      <bdi>{text.lookUpAt(nameOf(id))}</bdi>
    </Button>
  ));
}

/** The MD5 of the same sample, from wherever the person has it. */
function Md5Form({ insteadOf }: { insteadOf: FoundHash }) {
  const id = useId();
  const { lookUpMd5 } = useLookupStore();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = md5.safeParse(typed.trim().toLowerCase());
    setWrong(!read.success);
    if (read.success) lookUpMd5(read.data, insteadOf);
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
