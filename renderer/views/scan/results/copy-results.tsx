import { type ToldSample, toldSample } from '../../../../shared/domain/sample-table.ts';
import type { ScannedFile } from '../../../../shared/domain/scan.ts';
import { success } from '../../../../shared/failure.ts';
import { CopySamplesMenu, type OwnCopy } from '../../../features/copy-samples/copy-samples.tsx';
import { copiedForms, copiedText, type CopySource } from './copied-results.ts';
import { text } from './text.ts';

/** Copies something of what is shown: the rule and its matches, or the sample. */
export function CopyResults({ source }: { source: CopySource }) {
  const first = copiedForms.flatMap((form): OwnCopy[] => {
    const words = copiedText(form, source);
    const what = text.copyWhat[form];
    return words === null
      ? []
      : [{ id: form, text: what, copied: async () => success({ words, news: text.copiedNews(what) }) }];
  });
  return (
    <CopySamplesMenu samples={source.file === null ? [] : [toldFile(source.file)]} first={first} triggerLetter="C" />
  );
}

const toldFile = ({ sha256, md5, name, sizeBytes, tlp, tags, inVault, results }: ScannedFile): ToldSample =>
  toldSample({
    sha256,
    md5,
    name,
    sizeBytes,
    tlp,
    tags,
    inVault,
    hits: [...new Set(results.flatMap(({ hits }) => hits.map(({ rule }) => rule)))],
  });
