export * from './claims.ts';
export * from './common.ts';
export * from './events.ts';
export * from './items.ts';
export * from './lookups.ts';
export * from './registries.ts';
export * from './users.ts';
export * from './webhooks.ts';
