import { useState } from 'react';
import { labPublication, type LabPublication } from '../../../../shared/domain/lab.ts';
import { Button } from '../../../components/button.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import styles from './publish.module.css';
import { text } from './text.ts';

const groups = [
  { value: 'Release', text: text.groups.Release },
  { value: 'Test', text: text.groups.Test },
] as const;

export interface PublishFormProps {
  version: string;
  group: LabPublication['group'];
  canPublish: boolean;
  isPublishing: boolean;
  onVersion(version: string): void;
  onGroup(group: LabPublication['group']): void;
  onPublish(): void;
}

/** What the publication is called, and who is to find it. */
export function PublishForm({
  version,
  group,
  canPublish,
  isPublishing,
  onVersion,
  onGroup,
  onPublish,
}: PublishFormProps) {
  const [isTried, setTried] = useState(false);
  const isVersion = labPublication.shape.version.safeParse(version).success;
  const publish = (): void => {
    setTried(true);
    if (isVersion && canPublish) onPublish();
  };
  return (
    <form
      className={classNames(layout.insetLine, layout.inRow, styles.form)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        publish();
      }}
    >
      <TextField
        label={text.version}
        value={version}
        onChange={onVersion}
        problem={isTried && !isVersion ? text.versionProblem : null}
        maxLength={64}
        autoComplete="off"
        mono
      />
      <div className={styles.groups}>
        <RadioChoice label={text.group} value={group} options={groups} onChange={(next) => onGroup(next)} />
      </div>
      <Button type="submit" look="primary" isDisabled={!canPublish}>
        {isPublishing ? text.publishing : text.publish}
      </Button>
    </form>
  );
}
