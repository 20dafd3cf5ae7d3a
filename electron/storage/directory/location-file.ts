// Apart from its reader, whose schemas take longer to load than a command to ask a running Vitrine.

/**
 * Says where the data was moved to. Beside the usual directory and not in it: who removes the old copy must not remove
 * the way to the new one.
 */
export const locationFile = (usual: string): string => `${usual}-location.json`;
