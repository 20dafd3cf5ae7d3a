// Dexie takes the database that it finds when it is loaded, and files of tests share what is loaded: it is there before
// the first of them.
import 'fake-indexeddb/auto';
