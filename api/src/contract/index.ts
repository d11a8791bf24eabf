export * from './claims.ts';
export * from './common.ts';
export * from './items.ts';
export * from './lookups.ts';
export * from './registries.ts';
