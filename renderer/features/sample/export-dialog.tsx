import { useToldAction } from '../../state/reported-action.ts';
import { ExportZipDialog } from '../export/export-zip-dialog.tsx';
import { useToldZip } from '../export/use-told-zip.ts';
import { text } from './text.ts';

/** Exports are named by SHA-256; its first twelve characters stand for it, as in tables. */
const shortName = (fileName: string): string => fileName.replace(/^([0-9a-f]{12})[0-9a-f]{52}\.zip$/, '$1');

/** A sample leaves the desk. */
export function ExportDialog({ sha256, onClose }: { sha256: string; onClose(): void }) {
  const lost = (why: string): string => text.notExported(sha256.slice(0, 12), why);
  const exporting = useToldAction(
    'samples.exportZip',
    useToldZip({ shownName: shortName, told: text.exportedTo, lost }, onClose),
  );
  const { variables } = exporting;
  return (
    <ExportZipDialog
      title={text.exportTitle}
      sentence={text.exportSentence}
      exporting={exporting}
      retry={variables && { name: 'samples.exportZip', input: variables }}
      onExport={(how) => exporting.mutate({ sha256, ...how })}
      shownName={shortName}
      onClose={onClose}
    />
  );
}
