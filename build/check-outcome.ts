/** What one check found. `report` is what a person needs to mend it; empty when it passed. */
export interface CheckOutcome {
  name: string;
  passed: boolean;
  report: string;
}
