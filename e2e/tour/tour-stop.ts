import type { Page } from '@playwright/test';
import type { Vitrine } from '../fixtures.ts';
import type { TourFiles } from './files/tour-files.ts';
import type { DocumentedStop } from './tour-report.ts';

/** What a stop may use: the running program, and the files that a person brought. */
export interface Tour extends TourFiles {
  vitrine: Vitrine;
  page: Page;
  /** MD5s of the lab's sample files, from when the page has shown them. */
  sampleFiles: string[];
}

/** What was read from the page. */
type Answers = Pick<DocumentedStop, 'answers' | 'text'>;

/**
 * A step of the job, in the order of the tour; each continues where the one before ended, and its end is its picture.
 */
export interface TourStop extends Omit<DocumentedStop, 'answers' | 'text'> {
  walk(tour: Tour): Promise<Answers>;
}
