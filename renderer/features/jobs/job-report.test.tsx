import { bulkJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job, JobTask } from '../../../shared/domain/job.ts';
import { OutputReport } from './job-report.tsx';
import { readOut } from '../../test/read-out.ts';

const reported = (task: JobTask, state: Job['state'] = 'done'): (string | null)[] => {
  const { container } = render(<OutputReport job={{ ...bulkJob, task, state }} />);
  return [...container.querySelectorAll('p')].map((line) =>
    [...line.children]
      .slice(0, 3)
      .map((part) => readOut(part).trim())
      .join(' | '),
  );
};

test.each<[JobTask, Job['state'], string[]]>([
  [{ kind: 'export', form: 'one-zip', folder: '/exports', result: 'a.zip' }, 'done', ['Exported to | /exports/a.zip']],
  [{ kind: 'export', form: 'one-zip', folder: '/exports', result: null }, 'running', ['Exporting to | /exports']],
  [
    { kind: 'bundle', title: 'Case 7', folder: String.raw`D:\out`, result: 'b.vitrine-bundle' },
    'done',
    ['Title | Case 7', String.raw`Written to | D:\out\b.vitrine-bundle`],
  ],
  [{ kind: 'backup', folder: '/backups/desk' }, 'running', ['Writing to | /backups/desk']],
  [{ kind: 'bundle-import', name: 'a\u202eb.vitrine-bundle' }, 'done', [String.raw`From | a\u202eb.vitrine-bundle`]],
])('the report of a %j job that is %s shows where', (task, state, lines) => {
  expect(
    reported(task, state)
      .slice(0, lines.length)
      .map((line) => line?.replace(/ \| Copy path$| \| $/, '')),
  ).toEqual(lines);
});

test('the report of a case shows its format, and whether sample files were included', () => {
  const task: JobTask = {
    kind: 'case-export',
    format: 'misp',
    title: 'Gate',
    withSamples: true,
    folder: '/exports',
    result: 'c.json',
  };
  expect(reported(task)[0]).toBe('Title | Gate | MISP event, with sample files in password ZIPs');
});
