import { useEffect, useRef, useState } from 'react';
import type { TlpLevel } from '../../shared/domain/tag.ts';
import { TagEditor } from './tag-field-editor.tsx';
import { TagsAtRest } from './tag-field-rest.tsx';

export interface TagFieldProps {
  /** Whose tags they are. */
  label: string;
  tags: readonly string[];
  /** A whole tag that is not among them yet, as it is sent. */
  onAdd(tag: string): void;
  onRemove(tag: string): void;
  /** Known tags that begin so. */
  suggest(beginning: string): Promise<readonly string[]>;
  isDisabled?: boolean;
  /**
   * `row`: as high as a table's row allows; the chips are a button that becomes the field. Give it the row's own `key`.
   */
  size?: 'row' | 'normal';
  placeholder?: string;
  /** A TLP that was typed as a tag. Left out, it is refused. */
  onTlp?: (level: TlpLevel) => void;
  /**
   * Escape where nothing is typed: gives the focus to something else. Left out, the key is for whoever is around. In a
   * row it ends the editing.
   */
  onEscape?: () => void;
  /** False: reached by other keys than Tab, as in a table. */
  isTabStop?: boolean;
}

/** Tags as chips, and a field for more of them that knows those of this desk. */
export function TagField(props: TagFieldProps) {
  return props.size === 'row' ? (
    <RowTagField {...props} />
  ) : (
    <TagEditor {...props} isInRow={false} onLeave={() => {}} />
  );
}

/** A field with its list for each row of a table would be slow to draw: there is one where one edits. */
function RowTagField(props: TagFieldProps) {
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const givesBack = useRef(false);
  useEffect(() => {
    if (isEditing || !givesBack.current) return;
    givesBack.current = false;
    button.current?.focus();
  }, [isEditing]);
  if (isEditing && props.isDisabled !== true) {
    return (
      <TagEditor
        {...props}
        isInRow
        onLeave={(hadFocus) => {
          givesBack.current = hadFocus;
          setEditing(false);
        }}
      />
    );
  }
  const { label, tags, isDisabled = false, isTabStop = true, placeholder } = props;
  return (
    <TagsAtRest
      ref={button}
      label={label}
      tags={tags}
      isDisabled={isDisabled}
      isTabStop={isTabStop}
      placeholder={placeholder}
      onEdit={() => setEditing(true)}
    />
  );
}
