/** A mistake that the caller can correct: printed without a stack, exit code 1. */
export class Refusal extends Error {}

/** Runs a command's `main` on its arguments and turns a refusal into its message and exit code 1. */
export async function runCommand(main: (args: string[]) => unknown): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
