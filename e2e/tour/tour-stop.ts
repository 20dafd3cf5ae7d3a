import type { Page } from '@playwright/test';
import type { Desk } from '../fixtures.ts';
import type { TourFiles } from './files/tour-files.ts';
import type { ToldStop } from './tour-report.ts';

/** What a stop may use: the running program, and the files that a person brought. */
export interface Tour extends TourFiles {
  desk: Desk;
  page: Page;
  /** MD5s of the lab's specimens, from when the page has shown them. */
  specimens: string[];
}

/** What was read from the page. */
type Answers = Pick<ToldStop, 'answers' | 'text'>;

/**
 * A step of the job, in the order of the tour; each goes on where the one before ended, and what it ends with is its
 * picture.
 */
export interface TourStop extends Omit<ToldStop, 'answers' | 'text'> {
  walk(tour: Tour): Promise<Answers>;
}
