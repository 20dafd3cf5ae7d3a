import { z } from 'zod';

/**
 * A folder that somebody at a terminal named: the host gave this id for its path. The page has none, and never names a
 * path; what is asked for without one goes to the folder the host asks the person for, or was started with.
 */
export const folderGrant = z.string().regex(/^[0-9a-f]{32}$/, 'a folder’s id');
