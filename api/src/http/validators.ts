import { createRequire } from 'node:module';
import type { default as AjvCompiler, BuildCompilerFromPool } from '@fastify/ajv-compiler';

type Compile = ReturnType<BuildCompilerFromPool>;
type Validator = ReturnType<Compile>;

const require = createRequire(import.meta.url);

/** Fastify's own validators, each compiled by its first request: at the start that would add 29 % to the CPU time. */
export function validatorsWhenUsed(): BuildCompilerFromPool {
  let compile: Compile | undefined;
  const known = new WeakMap<object, Validator>();
  return (shapes, options) => (route) => {
    // Typed as the schema itself, but Fastify passes an object that contains it.
    const { schema } = route as unknown as { schema: object };
    let compiled: Validator | undefined;
    const validator = (data: unknown) => {
      compile ??= (require('@fastify/ajv-compiler') as typeof AjvCompiler)()(shapes, options);
      compiled ??= known.get(schema) ?? compile(route);
      known.set(schema, compiled);
      const valid = compiled(data);
      validator.errors = compiled.errors;
      return valid;
    };
    validator.errors = undefined as Validator['errors'];
    return validator as Validator;
  };
}
