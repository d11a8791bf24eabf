export * from './claims.ts';
export * from './common.ts';
export * from './events.ts';
export * from './items.ts';
export * from './lookups.ts';
export * from './moving.ts';
export * from './registries.ts';
export * from './webhooks.ts';
