export * from './common.ts';
export * from './items.ts';
export * from './registries.ts';
