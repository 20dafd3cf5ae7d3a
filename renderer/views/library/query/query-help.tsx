import { CircleQuestionMark } from 'lucide-react';
import { useState } from 'react';
import { queryFields } from '../../../../shared/domain/query-fields.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { text } from '../text.ts';
import styles from './query-field.module.css';

/** All that can be asked, with an example of each. */
export function QueryHelp() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={text.help} onPress={() => setOpen(true)}><CircleQuestionMark size={14} strokeWidth={1.6} aria-hidden="true" /></IconButton>
      <Dialog title={text.helpTitle} isOpen={isOpen} onClose={() => setOpen(false)} wide actions={<Button onPress={() => setOpen(false)} takesFocus>{text.close}</Button>}>
        <p>{text.helpSentence}</p>
        <table className={styles.help}>
          <thead>
            <tr>{text.helpColumns.map((title) => <th key={title} scope="col">{title}</th>)}</tr>
          </thead>
          <tbody>
            {queryFields.map(({ name, does, example }) => (
              <tr key={name}>
                <th scope="row"><code>{name}:</code></th>
                <td>{does}</td>
                <td><code>{example}</code></td>
              </tr>
            ))}
          </tbody>
        </table>
      </Dialog>
    </>
  );
}
