import { fewerCases } from './long-tests.ts';

/**
 * Random cases of a property that names no number, when the long tests are left out. Each run takes others.
 * fast-check's own number is 100.
 */
const casesOfAProperty = 25;

if (process.env[fewerCases] !== undefined) (await import('fast-check')).configureGlobal({ numRuns: casesOfAProperty });
