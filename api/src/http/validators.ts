import { createRequire } from 'node:module';
import type { default as AjvCompiler, BuildCompilerFromPool } from '@fastify/ajv-compiler';

type Compile = ReturnType<BuildCompilerFromPool>;
type Validator = ReturnType<Compile>;

const require = createRequire(import.meta.url);

/** Fastify's own validators, each compiled by its first request: Ajv and all of them at once took a tenth of a start. */
export function validatorsWhenUsed(): BuildCompilerFromPool {
  let compile: Compile | undefined;
  return (shapes, options) => (schema) => {
    let compiled: Validator | undefined;
    const validator = (data: unknown) => {
      compile ??= (require('@fastify/ajv-compiler') as typeof AjvCompiler)()(shapes, options);
      compiled ??= compile(schema);
      const valid = compiled(data);
      validator.errors = compiled.errors;
      return valid;
    };
    validator.errors = undefined as Validator['errors'];
    return validator as Validator;
  };
}
