import type { FaultRow, RanRow } from './fault-row.ts';
import { releases } from './releases.ts';
import { resumes } from './resumes.ts';
import { runReleases } from './run-releases.ts';
import { runResumes } from './run-resumes.ts';

/** A table of rows below a heading of its own. */
export interface RowSection {
  /** What `--only` takes. */
  name: string;
  heading: string;
  /** What is above the table. */
  about: string;
  rows: readonly FaultRow[];
  /** Runs those of its rows that are chosen. Rejects when there is no host for them. */
  run(chosen: (row: FaultRow) => boolean, folder: string, report: (ran: RanRow) => void): Promise<RanSection>;
}

export interface RanSection {
  ran: RanRow[];
  /** Secrets, samples and defects that the host left on the disk. */
  left: string[];
}

/** In the order of the document. */
export const rowSections: readonly RowSection[] = [
  {
    name: 'resumes',
    heading: 'Resumed downloads',
    about: `Downloads whose connection breaks or falls silent, and what the service sends when the rest is requested.
\`downloadfile\` is one sample. \`bulkdownload\` is an archive of two samples that breaks in the second. *One by one* is
the same two of a service without \`bulkdownload\`. \`download --resume\` is a bulk download of two that ended early and
is resumed by the command, with its exit code. Where *Fault* starts with what comes "for the rest", or with 206, the
first transfer broke in the middle.

In *Requests*, the number in brackets is the byte from which a file was requested, or how many samples an archive was
to hold. The bytes in the vault have the SHA-256 of the sample in each row that stores one.`,
    rows: resumes,
    run: (chosen, folder, report) => runResumes(resumes.filter(chosen), folder, report),
  },
  {
    name: 'releases',
    heading: 'Replies of public releases',
    about: `What the public releases of the repository answer (\`services.md\`), imitated by a proxy in front of the lab
(\`e2e/faults/field-dialect.ts\`). *Stored* is what the vault, the library or the lab has afterwards. A record is
*marked* when it carries the warning that came with it. Its tags and URLs are each listed once in every row.`,
    rows: releases,
    run: (chosen, folder, report) => runReleases(releases.filter(chosen), folder, report),
  },
];

export const nameOf = ({ name }: RowSection, { action, words }: FaultRow): string => `${name}/${action}/${words}`;
