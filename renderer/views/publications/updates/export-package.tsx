import type { PackageView } from '../../../../shared/domain/publication.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { ExportZipDialog, useReportedZip } from '../../../features/export/zip-dialog.tsx';
import { useReportedAction } from '../../../state/reported-action.ts';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';

const longestName = 48;
const shownName = (fileName: string): string => cutMiddle(fileName, longestName);

/** A package leaves the desk. */
export function ExportPackage({
  shown,
  workspaceId,
  onClose,
}: {
  shown: PackageView;
  workspaceId: string;
  onClose(): void;
}) {
  const version = shortVersion(shown.version);
  const failureText = (why: string): string => text.notExported(version, why);
  const exporting = useReportedAction(
    'publications.export',
    useReportedZip({ shownName, exportedText: text.exportedTo, failureText }, onClose),
  );
  const { variables } = exporting;
  return (
    <ExportZipDialog
      title={text.exportTitle(version)}
      sentence={text.exportSentence}
      exporting={exporting}
      retry={variables && { name: 'publications.export', input: variables }}
      onExport={(how) => exporting.mutate({ workspaceId, sha256: shown.sha256, ...how })}
      shownName={shownName}
      onClose={onClose}
    />
  );
}
