/** As many samples as can be named one by one. */
export const mostPicked = 5000;
