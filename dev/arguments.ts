import { type ParseArgsConfig, parseArgs } from 'node:util';

type Parsed<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/** Reads this process's arguments. With `--help`, or arguments that the command doesn't know, it ends with its usage. */
export function readArguments<const T extends ParseArgsConfig>(usage: string, config: T): Parsed<T> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(usage, (error as Error).message);
  }
}

/** Ends the process, with what is wrong with its arguments and the usage. */
export function refuse(usage: string, problem: string): never {
  process.stderr.write(`${problem}\n\n${usage}\n`);
  process.exit(2);
}
