import { visitor } from './visitor.ts';

visitor();
