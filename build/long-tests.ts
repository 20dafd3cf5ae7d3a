/**
 * What a test is tagged with that goes through the further cases of what another one holds for a few: `npm test` leaves
 * it out, and `npm test -- --whole` runs it.
 */
export const long = 'long';

/** Name of the variable that makes the tests leave out the long ones. */
export const fewerCases = 'VITRINE_FEWER_CASES';
