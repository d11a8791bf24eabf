import { describeStore } from './store-suite.ts';
import { freshSqlite } from './support.ts';

await describeStore('a store on SQLite', freshSqlite);
