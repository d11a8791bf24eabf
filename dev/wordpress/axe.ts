// axe-core's rules for accessibility, run in a page.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Run = (context: axe.ElementContext, options: axe.RunOptions) => Promise<axe.AxeResults>;

export interface Findings {
  violations: { id: string; nodes: string[] }[];
  /** The number of elements that passed each rule. */
  passes: Record<string, number>;
}

/** Runs axe-core on the page or a part of it. Returns only what tests need: the complete results are megabytes. */
export async function runAxe(
  page: Page,
  context: string | { exclude: string[][] },
  options: axe.RunOptions = {},
): Promise<Findings> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(
    async ([context, options]) => {
      const { run } = (globalThis as unknown as { axe: { run: Run } }).axe;
      const { violations, passes } = await run(context as axe.ElementContext, {
        ...options,
        selectors: false,
      });
      return {
        violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
        passes: Object.fromEntries(passes.map(({ id, nodes }) => [id, nodes.length])),
      };
    },
    [context, options] as const,
  );
}
