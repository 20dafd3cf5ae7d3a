import type { FoundSample } from '../../../../shared/domain/server-record.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { cutMiddle, formatSize, readTime, timeWidth } from '../../../components/format.ts';
import { SampleName } from '../../../components/service-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import { TagLine, type TagSpace } from './cells.tsx';
import styles from './repository-columns.module.css';

const longestShown = 60;
const longestTitle = 500;
const shortHash = 12;

/** Which samples the library has, by MD5. */
export type KnownHere = ReadonlyMap<string, 'vault' | 'library'>;

/** What a repository lists of the samples that it finds. Its texts are untrusted. */
export const repositoryColumns = (
  { here, space }: { here: KnownHere; space: TagSpace },
  open: (sample: FoundSample) => void,
): readonly GridColumn<FoundSample>[] => [
  {
    id: 'name',
    title: text.serverColumns.name,
    width: { flex: 2, min: 140 },
    isRowHeader: true,
    cell: (sample) => <NameButton sample={sample} onPress={() => open(sample)} />,
  },
  {
    id: 'md5',
    title: text.serverColumns.md5,
    width: 96,
    leaves: 2,
    cell: ({ md5 }) => (
      <code className={typography.code} title={md5}>
        {md5.slice(0, shortHash)}
      </code>
    ),
  },
  {
    id: 'size',
    title: text.serverColumns.size,
    width: 80,
    align: 'end',
    leaves: 3,
    cell: ({ sizeBytes }) => (sizeBytes === null ? null : formatSize(sizeBytes)),
  },
  {
    id: 'date',
    title: text.serverColumns.date,
    get width() {
      return timeWidth(152);
    },
    leaves: 5,
    cell: ({ date }) => date !== null && <bdi>{visibleText(cutMiddle(readTime(date).text, longestShown))}</bdi>,
  },
  {
    id: 'threat',
    title: text.serverColumns.threat,
    width: { flex: 1, min: 96 },
    leaves: 4,
    cell: ({ threat }) =>
      threat !== null && (
        <bdi className={typography.cut} title={visibleText(cutMiddle(threat, longestTitle))}>
          {visibleText(cutMiddle(threat, longestShown))}
        </bdi>
      ),
  },
  {
    id: 'tags',
    title: text.serverColumns.tags,
    width: { flex: 1, min: 96 },
    leaves: 6,
    cell: ({ tags }) => <TagLine tags={[]} serviceTags={tags} space={space} />,
  },
  {
    id: 'here',
    title: text.serverColumns.here,
    width: 72,
    leaves: 1,
    cell: ({ md5 }) => {
      const place = here.get(md5);
      return place !== undefined && <span className={typography.muted}>{text.serverHere[place]}</span>;
    },
  },
];

/** The keys of the table do the same. */
function NameButton({ sample: { name, md5 }, onPress }: { sample: FoundSample; onPress(): void }) {
  const isNamed = name !== null && name !== '';
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classNames(surface.bare, layout.flex4, styles.name)}
      title={isNamed ? undefined : md5}
      onClick={onPress}
    >
      {isNamed ? <SampleName name={name} /> : <span className={typography.faint}>{text.unnamed}</span>}
    </button>
  );
}
