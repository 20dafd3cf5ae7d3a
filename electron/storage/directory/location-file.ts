// Apart from its reader, whose schemas take longer to load than a command to ask a running Vitrine.

/**
 * Records where the data was moved to. It is beside the usual directory and not in it: removing the old copy must not
 * remove the pointer to the new one.
 */
export const locationFile = (usual: string): string => `${usual}-location.json`;
