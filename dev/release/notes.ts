// Writes a component's release notes from its commits since the last tag: `npm run notes -- api`.
import { type Component, componentNames, findComponent } from './components.ts';
import { ask, type Git, openRepository } from './git.ts';
import { Refusal, runCommand } from './refusal.ts';
import { taggedVersions, tagOf } from './version.ts';

export interface Commit {
  hash: string;
  subject: string;
  body: string;
}

/** Addresses of a forge's pages about commits and comparisons of two tags. */
export interface Forge {
  commit(hash: string): string;
  compare(from: string, to: string): string;
}

// Commit types that users notice. Other types (`refactor`, `test`, `docs` …) and the bodies of all commits stay in git.
const headings = new Map([
  ['feat', 'Features'],
  ['fix', 'Fixes'],
  ['perf', 'Performance'],
]);
// Scopes that only developers of the project notice.
const INTERNAL = ['bench', 'ci', 'dev', 'faults', 'house', 'release', 'test', 'tests'];
const conventional = /^(?<type>\w+)(?:\((?<scope>[^)]*)\))?(?<bang>!)?: +(?<text>.+)$/;
// A footer ends at a blank line or at the next footer.
const breakingFooter = /(?:^|\n)BREAKING[ -]CHANGE: +(?<text>[\s\S]+?)(?=\n\s*\n|\n[A-Za-z-]+(?:: | #)|\s*$)/;

/** Returns the pages of a remote on GitHub or GitLab, without the credentials in its address. */
export function forgeOf(remote: string): Forge | undefined {
  const match = remote
    .replace(/(\.git)?\/?$/, '')
    .match(/^(?:https?:\/\/|ssh:\/\/)?(?:[^@/]+@)?(github\.com|gitlab\.com)[:/]([\w.-]+(?:\/[\w.-]+)+)$/);
  if (!match) return undefined;
  const [, host, name] = match;
  const pages = `https://${host}/${name}${host === 'gitlab.com' ? '/-' : ''}`;
  return {
    commit: (hash) => `${pages}/commit/${hash}`,
    compare: (from, to) => `${pages}/compare/${from}...${to}`,
  };
}

/** Reports whether a commit concerns a component: one of its scopes is the component or a part of it, or it has none. */
const concerns = (component: string, scopes: string[]) =>
  scopes.length === 0 ||
  scopes.some(
    (scope) => scope === component || !(INTERNAL.includes(scope) || componentNames.includes(scope)),
  );

/**
 * Returns release notes as Markdown, for the component's users: breaking changes, features, fixes and speed. The title is alone
 * on the first line, because git shows it as the tag's subject.
 */
export function renderNotes(
  component: string,
  title: string,
  commits: Commit[],
  links: { forge: Forge | undefined; since: string | undefined; until: string },
): string {
  const { forge, since, until } = links;
  const groups = new Map<string, string[]>(
    ['Breaking changes', ...headings.values()].map((name) => [name, []]),
  );
  for (const commit of commits) {
    const {
      type = '',
      scope,
      bang,
      text = commit.subject,
    } = commit.subject.match(conventional)?.groups ?? {};
    const scopes = scope?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
    const breaking = commit.body.match(breakingFooter)?.groups?.text?.replace(/\s*\n\s*/g, ' ');
    const usual = concerns(component, scopes) ? headings.get(type.toLowerCase()) : undefined;
    const heading = bang || breaking ? 'Breaking changes' : usual;
    if (!heading) continue;
    const where = scope && !scopes.includes(component) ? `**${scope}:** ` : '';
    const short = commit.hash.slice(0, 7);
    const link = forge ? ` ([${short}](${forge.commit(commit.hash)}))` : ` (${short})`;
    groups.get(heading)!.push(`- ${where}${text}${link}${breaking ? `\n  ${breaking}` : ''}`);
  }
  const sections = [...groups].filter(([, lines]) => lines.length);
  return [
    title,
    ...sections.map(([heading, lines]) => `### ${heading}\n\n${lines.join('\n')}`),
    ...(sections.length ? [] : [`Nothing that users notice has changed${since ? ` since ${since}` : ''}.`]),
    ...(forge && since ? [`[All changes](${forge.compare(since, until)})`] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Returns the notes of commits that touch the component after its newest tag, up to `end`. */
export function notesUpTo(git: Git, component: Component, end: string, version?: string): string {
  if (git(['rev-parse', '--is-shallow-repository']).trim() === 'true')
    throw new Refusal('This clone lacks the older history: run "git fetch --unshallow --tags" first.');
  const last = taggedVersions(component.name, git(['tag', '--merged', end]).split('\n')).at(-1);
  const since = last && tagOf(component.name, last);
  const commits = git([
    ...['log', '-z', '--no-merges', '--format=%H%n%s%n%b', since ? `${since}..${end}` : end],
    ...['--', ...component.paths],
  ])
    .split('\0')
    .filter(Boolean)
    .map((entry) => {
      const [hash = '', subject = '', ...body] = entry.split('\n');
      return { hash, subject, body: body.join('\n') };
    });
  return renderNotes(
    component.name,
    `${component.name} ${version ? `v${version}` : '(unreleased)'}`,
    commits,
    {
      forge: forgeOf(ask(git, ['config', '--get', 'remote.origin.url'])?.trim() ?? ''),
      since,
      until: version ? tagOf(component.name, version) : git(['rev-parse', end]).trim(),
    },
  );
}

if (import.meta.main) {
  await runCommand(([name]) => {
    const component = findComponent(name);
    process.stdout.write(notesUpTo(openRepository(process.cwd()).git, component, 'HEAD'));
  });
}
