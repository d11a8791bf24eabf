import { type ParseArgsConfig, parseArgs } from 'node:util';

type Parsed<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/** Reads this process's arguments. On `--help` or an unknown argument, prints the usage and exits. */
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

/** Prints what is wrong with the arguments, and the usage, and exits. */
export function refuse(usage: string, problem: string): never {
  process.stderr.write(`${problem}\n\n${usage}\n`);
  process.exit(2);
}
