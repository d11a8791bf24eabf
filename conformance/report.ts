import type { Outcome, Run } from './suite.ts';

const WORDS = { passed: 'ok  ', failed: 'FAIL', 'not applicable': '-   ' };

/** Returns a line about a case; below a failed one, the reason. */
export function lineOf({ id, result, milliseconds, why }: Outcome): string {
  if (result === 'passed') return `${WORDS.passed}  ${id}  (${milliseconds} ms)`;
  if (result === 'not applicable') return `${WORDS[result]}  ${id}  not here: ${why}`;
  return `${WORDS.failed}  ${id}  (${milliseconds} ms)\n${why!.replaceAll(/^/gm, '        ')}`;
}

export const count = ({ outcomes }: Pick<Run, 'outcomes'>, result: Outcome['result']) =>
  outcomes.filter((one) => one.result === result).length;

export function summaryOf(run: Run, seconds: number): string {
  const numbers = `${count(run, 'passed')} passed, ${count(run, 'failed')} failed, ${count(run, 'not applicable')} not applicable`;
  const end = run.interrupted ? 'Interrupted' : 'Done';
  return [`${end} after ${seconds.toFixed(1)} s: ${numbers}.`, ...run.left].join('\n');
}

const byId = (run: Run) => run.outcomes.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));

export const jsonOf = (run: Run): string => `${JSON.stringify({ ...run, outcomes: byId(run) }, null, 2)}\n`;

/** Escapes a text for XML, and replaces characters that XML doesn't allow. */
const xml = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');

/** Returns the results in JUnit's format, with a suite for each section of the contract. */
export function junitOf(run: Run): string {
  const suites = Map.groupBy(byId(run), ({ section }) => section);
  const numbers = (outcomes: Outcome[]) => {
    const of = (result: Outcome['result']) => count({ outcomes }, result);
    const seconds = outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
    return `tests="${outcomes.length}" failures="${of('failed')}" errors="0" skipped="${of('not applicable')}" time="${seconds}"`;
  };
  const testcase = ({ id, section, result, milliseconds, why = '' }: Outcome) => {
    const open = `    <testcase classname="${section}" name="${xml(id)}" time="${milliseconds / 1000}"`;
    if (result === 'passed') return `${open}/>`;
    const [first = ''] = why.split('\n');
    const inner =
      result === 'failed'
        ? `<failure message="${xml(first)}">${xml(why)}</failure>`
        : `<skipped message="${xml(why)}"/>`;
    return `${open}>${inner}</testcase>`;
  };
  const lines = [...suites].flatMap(([section, outcomes]) => [
    `  <testsuite name="${xml(section)}" ${numbers(outcomes)}>`,
    ...outcomes.map(testcase),
    '  </testsuite>',
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Trousseau conformance" ${numbers(run.outcomes)}>`,
    ...lines,
    '</testsuites>\n',
  ].join('\n');
}
