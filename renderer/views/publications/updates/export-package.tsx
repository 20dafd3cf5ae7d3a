import type { PackageView } from '../../../../shared/domain/publication.ts';
import { ExportZipDialog } from '../../../app/export/export-zip-dialog.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';

const longestName = 48;

/** A package leaves the desk. */
export function ExportPackage({ shown, workspaceId, onClose }: { shown: PackageView; workspaceId: string; onClose(): void }) {
  const exporting = useAction('publications.export');
  const { variables } = exporting;
  return (
    <ExportZipDialog
      title={text.exportTitle(shortVersion(shown.version))}
      sentence={text.exportSentence}
      exporting={exporting}
      retry={variables && { name: 'publications.export', input: variables }}
      onExport={(how, onSuccess) => exporting.mutate({ workspaceId, sha256: shown.sha256, ...how }, { onSuccess })}
      shownName={(fileName) => cutMiddle(fileName, longestName)}
      told={text.exportedTo}
      onClose={onClose}
    />
  );
}
