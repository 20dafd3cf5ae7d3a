import { metadataStoreContract } from '../../lab/stores/metadata-store.fixture.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { readDatabaseAddress } from './pg-address.ts';
import { PgDatabase } from './pg-database.ts';
import { openPgMetadata } from './pg-metadata-store.ts';

const postgres = usePostgres();

metadataStoreContract('PostgreSQL', async () => {
  const address = await postgres.labDatabase();
  return () => openPgMetadata(new PgDatabase(readDatabaseAddress(address, {})));
});
