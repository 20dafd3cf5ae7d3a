import { Copy } from 'lucide-react';
import { Button } from '../../../components/button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { copyText } from '../../../components/use-copy.ts';
import { copiedForms, copiedText, type CopySource } from './copied-results.ts';
import { text } from './text.ts';

/** Copies something of what is shown. What there is none of is not offered. */
export function CopyResults({ source }: { source: CopySource }) {
  const toast = useToast();
  const offered = copiedForms.flatMap((form) => {
    const words = copiedText(form, source);
    return words === null ? [] : [{ id: form, text: text.copyWhat[form], words }];
  });
  const copy = async (id: string): Promise<void> => {
    const chosen = offered.find((each) => each.id === id);
    if (chosen === undefined) return;
    const isCopied = await copyText(chosen.words);
    toast(isCopied ? { meaning: 'ok', text: text.copiedNews(chosen.text) } : { meaning: 'bad', text: text.notCopied });
  };
  return (
    <Menu
      label={text.copyMenu}
      choices={offered}
      onChoose={(id) => void copy(id)}
      trigger={<Button letter="C" isDisabled={offered.length === 0}><Copy size={14} strokeWidth={1.6} aria-hidden="true" />{text.copy}</Button>}
    />
  );
}
