import { Upload } from 'lucide-react';
import { useState } from 'react';
import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { differenceFormat, type DifferenceFormat } from '../../../../shared/domain/rule-review.ts';
import { Button } from '../../../components/button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { ExportZipDialog, useReportedZip } from '../../../features/export/zip-dialog.tsx';
import { useReportedAction } from '../../../state/reported-action.ts';
import { text } from './text.ts';

const longestName = 48;
const shownName = (fileName: string): string => cutMiddle(fileName, longestName);
const choices = differenceFormat.options.map((id) => ({ id, text: text.diffFormats[id] }));

/** The difference leaves as a patch or as JSON, in a password ZIP. */
export function ExportDifference({
  state: { workspaceId, active },
  shown,
}: {
  state: PublicationsState;
  shown: PackageView;
}) {
  const [format, setFormat] = useState<DifferenceFormat | null>(null);
  return (
    <>
      <Menu
        label={text.exportDiff}
        choices={choices}
        onChoose={(id) => setFormat(differenceFormat.parse(id))}
        trigger={
          <Button>
            <Upload size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.exportDiff}
          </Button>
        }
      />
      {format !== null && (
        <ExportDialog
          workspaceId={workspaceId}
          from={active}
          shown={shown}
          format={format}
          onClose={() => setFormat(null)}
        />
      )}
    </>
  );
}

function ExportDialog({
  workspaceId,
  from,
  shown,
  format,
  onClose,
}: {
  workspaceId: string;
  from: string | null;
  shown: PackageView;
  format: DifferenceFormat;
  onClose(): void;
}) {
  const exporting = useReportedAction(
    'publications.exportDifference',
    useReportedZip({ shownName, exportedText: text.exportedTo, failureText: text.diffNotExported }, onClose),
  );
  const { variables } = exporting;
  return (
    <ExportZipDialog
      title={text.exportDiffTitle(text.diffFormats[format])}
      sentence={text.exportDiffSentence[format]}
      exporting={exporting}
      retry={variables && { name: 'publications.exportDifference', input: variables }}
      onExport={(how) => exporting.mutate({ workspaceId, from, sha256: shown.sha256, format, ...how })}
      shownName={shownName}
      onClose={onClose}
    />
  );
}
