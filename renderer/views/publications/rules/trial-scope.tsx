import { FolderOpen } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import type { OperationOutput } from '../../../../shared/contract.ts';
import { readLibraryQuery } from '../../../../shared/domain/library-query.ts';
import type { LibrarySelection } from '../../../../shared/domain/library.ts';
import { mostTried, type TrialScope } from '../../../../shared/domain/rule-trial.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { failed, type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import type { RowSelection } from '../../../components/data-grid/row-selection.ts';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { useLibraryPlace } from '../../../features/library/library-place.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { useStaging } from '../updates/trial-panel.tsx';
import styles from './rule-editor.module.css';
import { text } from './strings.ts';

type ScopeKind = TrialScope['kind'];

/** What rules are tried on, as a person chooses it. */
interface ChosenScope {
  kind: ScopeKind;
  /** Of the library, in words; null: none is selected. */
  selected: string | null;
  files: readonly File[];
  /** Files that are being sent; null while none are. */
  staging: { done: number; files: number } | null;
  isReading: boolean;
  failure: Failure | null;
  /** Samples that are selected and whose SHA-256 is unknown: the trial does not scan them. */
  leftOut: number;
  choose(kind: ScopeKind): void;
  pick(files: readonly File[]): void;
  /** Reads the selection, or hands the files over. null: that failed, or was stopped. */
  read(): Promise<TrialScope | null>;
  stop(): void;
}

const factsACall = 1000;
const namesACall = 5000;

/** The library's selection is what is ticked there; without one the whole vault is tried. */
export function useTrialScope(): ChosenScope {
  const bridge = useBridge();
  const [{ selection, searched }] = useLibraryPlace();
  const { staging, failure: notStaged, stage, stop: stopStaging } = useStaging();
  const selected = wordsOf(selection);
  const [chosen, choose] = useState<ScopeKind>(selected === null ? 'vault' : 'samples');
  const [files, pick] = useState<readonly File[]>([]);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [leftOut, setLeftOut] = useState(0);
  const kind = chosen === 'samples' && selected === null ? 'vault' : chosen;
  const isStopped = useRef(false);

  const refused = (reason: Failure): null => {
    setFailure(reason);
    return null;
  };
  const readSamples = async (): Promise<TrialScope | null> => {
    const read = await readHashes(bridge, selectionsOf(selection, searched), () => isStopped.current);
    if (!read.ok) return refused(read.failure);
    setLeftOut(read.value.without);
    if (isStopped.current) return null;
    const sha256s = read.value.found;
    return sha256s.length === 0 ? refused({ kind: 'nothing-selected' }) : { kind: 'samples', sha256s };
  };
  const readFiles = async (): Promise<TrialScope | null> => {
    if (files.length === 0) return refused({ kind: 'nothing-selected' });
    if (files.length > mostTried) return refused({ kind: 'job-too-large', limit: mostTried });
    const ids = await stage(files);
    return ids && { kind: 'files', files: ids.map((id) => ({ id })) };
  };
  const read = async (): Promise<TrialScope | null> => {
    isStopped.current = false;
    setFailure(null);
    setLeftOut(0);
    if (kind === 'vault') return { kind };
    setReading(true);
    const scope = await (kind === 'samples' ? readSamples() : readFiles());
    setReading(false);
    return scope;
  };
  const stop = (): void => {
    isStopped.current = true;
    stopStaging();
  };
  return {
    kind,
    selected,
    files,
    staging,
    isReading,
    failure: failure ?? notStaged,
    leftOut,
    choose,
    pick,
    read,
    stop,
  };
}

/** The SHA-256s of the selected samples, and how many samples have none; what was read so far when it was stopped. */
async function readHashes(
  bridge: Bridge<File>,
  selections: readonly LibrarySelection[],
  isStopped: () => boolean,
): Promise<Result<{ found: string[]; without: number }>> {
  const found = new Set<string>();
  let without = 0;
  for (const selection of selections) {
    for (let after: number | null = 0; after !== null && !isStopped();) {
      const answer: Result<OperationOutput<'library.facts'>> = await bridge.call('library.facts', {
        selection,
        after,
        limit: factsACall,
      });
      if (!answer.ok) return answer;
      for (const { sha256 } of answer.value.samples) {
        if (sha256 === null) without += 1;
        else found.add(sha256);
      }
      if (found.size > mostTried) return failed({ kind: 'job-too-large', limit: mostTried });
      after = answer.value.next;
    }
  }
  return success({ found: [...found], without });
}

function wordsOf({ kind, keys }: RowSelection<string>): string | null {
  if (kind === 'these') return keys.size === 0 ? null : text.scopeSelected(keys.size);
  return keys.size === 0 ? text.scopeAllFound : text.scopeAllFoundBut(keys.size);
}

function selectionsOf({ kind, keys }: RowSelection<string>, searched: string): LibrarySelection[] {
  const hashes = [...keys];
  if (kind === 'these')
    return Array.from({ length: Math.ceil(hashes.length / namesACall) }, (_, at) => ({
      kind: 'named',
      hashes: hashes.slice(at * namesACall, (at + 1) * namesACall),
    }));
  const read = readLibraryQuery(searched, new Date());
  return read.kind === 'problem' ? [] : [{ kind: 'query', terms: read.terms, except: hashes }];
}

export function TrialScopeChoice({ scope: { kind, selected, files, staging, choose, pick } }: { scope: ChosenScope }) {
  const picker = useRef<HTMLInputElement>(null);
  const onPick = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const picked = [...(currentTarget.files ?? [])];
    // The same folder can be picked again.
    currentTarget.value = '';
    if (picked.length === 0) return;
    pick(picked);
    choose('files');
  };
  return (
    <div className={classNames(layout.wrap, styles.scope)}>
      <RadioChoice
        label={text.scope}
        isInline
        value={kind}
        onChange={choose}
        options={[
          { value: 'vault', text: text.scopeVault },
          { value: 'samples', text: selected ?? text.scopeNoneSelected, isDisabled: selected === null },
          {
            value: 'files',
            text: files.length === 0 ? text.scopeFiles : text.scopePicked(files.length),
            isDisabled: files.length === 0,
          },
        ]}
      />
      <Button size="small" onPress={() => picker.current?.click()}>
        <FolderOpen size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.pickFolder}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-picker="rule-trial-folder"
        onChange={onPick}
        {...{ webkitdirectory: '' }}
      />
      {staging !== null && (
        <span role="status" data-figures>
          {text.scopeStaging(staging.done, staging.files)}
        </span>
      )}
    </div>
  );
}
