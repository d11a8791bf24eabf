import { Refusal } from './refusal.ts';

/** Where a file contains a version: the pattern's group `version`. */
export interface VersionPlace {
  path: string;
  pattern: RegExp;
}

/**
 * An installable zip of a folder's tracked files and its build output. Names ending in a slash are folders;
 * `staysBehind` wins over `ships`, and packing refuses a file in neither list. `makes` may contain a `*`. With an empty
 * `top`, the files are at the zip's own top.
 */
export interface ZipArtifact {
  kind: 'zip';
  folder: string;
  top: string;
  ships: string[];
  staysBehind: string[];
  /** The script's path starts at the top of the repository. */
  build?: { script: string; makes: string[] };
}

/**
 * An npm tarball of a workspace: its name if that differs, the source folders that ship, those of the repository that ship
 * with them, without tests, and the dependencies of these, its commands, and the contract that it imports.
 */
export interface NpmArtifact {
  kind: 'npm';
  folder: string;
  name?: string;
  sources: string[];
  beside?: { folders: string[]; dependencies: string[] };
  bin?: Record<string, string>;
  contract?: { specifier: string; folder: string };
}

export interface Component {
  name: string;
  /** The one version source, and the places that must say the same. */
  source: VersionPlace;
  copies: VersionPlace[];
  /** The release notes list the commits that touch these folders. */
  paths: string[];
  artifacts: (ZipArtifact | NpmArtifact)[];
}

const header = (path: string, name: string): VersionPlace => ({
  path,
  pattern: new RegExp(`^[ \\t*]*${name}:[ \\t]*(?<version>\\S*)`, 'm'),
});
const packageVersion = (path: string): VersionPlace => ({
  path,
  pattern: /^ {2}"version": "(?<version>[^"]*)"/m,
});
const lockedVersion = (workspace: string): VersionPlace => ({
  path: 'package-lock.json',
  pattern: new RegExp(`^ {4}"${workspace}": \\{\\n(?: {6}.*\\n)*? {6}"version": "(?<version>[^"]*)"`, 'm'),
});

const components: Component[] = [
  {
    name: 'plugin',
    source: header('plugin/trousseau.php', 'Version'),
    copies: [
      { path: 'plugin/trousseau.php', pattern: /^const VERSION *= '(?<version>[^']*)';/m },
      header('plugin/readme.txt', 'Stable tag'),
    ],
    paths: ['plugin'],
    artifacts: [
      {
        kind: 'zip',
        folder: 'plugin',
        top: 'trousseau',
        ships: [
          'trousseau.php',
          'autoload.php',
          'uninstall.php',
          'readme.txt',
          'src/',
          'blocks/',
          'languages/',
          'assets/',
        ],
        staysBehind: [
          ...['Admin', 'Gifts', 'Lists', 'PageCaching', 'Platform'].map((room) => `src/${room}/scripts/`),
          ...['.wordpress-org/', 'test/', 'phpcs.xml', 'phpunit.xml', '.gitignore'],
        ],
        build: {
          script: 'dev/build/plugin.ts',
          makes: [
            ...['bookmarklet', 'editor', 'known', 'pages', 'registry-editor', 'trousseau'].map(
              (name) => `assets/${name}.js`,
            ),
            'assets/readable/*.js',
            'languages/*.mo',
          ],
        },
      },
    ],
  },
  {
    // The client follows the service's contract, so it has the service's version.
    name: 'api',
    source: packageVersion('api/package.json'),
    copies: [packageVersion('client/package.json'), lockedVersion('api'), lockedVersion('client')],
    paths: ['api', 'client', 'conformance'],
    artifacts: [
      {
        kind: 'npm',
        folder: 'api',
        sources: ['src', 'emulator'],
        name: 'trousseau',
        beside: {
          folders: ['client', 'conformance'],
          dependencies: ['@modelcontextprotocol/sdk', 'ajv', 'standardwebhooks', 'zod'],
        },
        // Both by `command.ts`, which refuses an older Node.
        bin: { trousseau: 'src/command.ts', 'trousseau-api': 'src/command.ts' },
      },
      {
        kind: 'npm',
        folder: 'client',
        sources: ['src'],
        contract: { specifier: 'trousseau-api/contract', folder: 'api/src/contract' },
      },
    ],
  },
  {
    name: 'theme',
    source: header('theme/style.css', 'Version'),
    copies: [],
    paths: ['theme'],
    artifacts: [
      {
        kind: 'zip',
        folder: 'theme',
        top: 'trousseau',
        ships: [
          ...['style.css', 'theme.json', 'functions.php', 'readme.txt', 'screenshot.png'],
          ...['templates/', 'parts/', 'patterns/', 'styles/', 'assets/', 'languages/'],
        ],
        staysBehind: ['test/', '.gitignore'],
        build: { script: 'dev/build/theme.ts', makes: ['languages/*.mo'] },
      },
    ],
  },
  {
    name: 'extension',
    source: packageVersion('extension/manifest.json'),
    copies: [],
    // It holds the reader of shops' pages.
    paths: ['extension', 'api/src/shop'],
    artifacts: [
      {
        kind: 'zip',
        folder: 'extension',
        // Browsers and their stores look for the manifest at the zip's top.
        top: '',
        ships: ['manifest.json', 'popup.html', 'sites.html', 'pages.css', 'icons/', '_locales/'],
        staysBehind: ['src/', 'test/', '.gitignore'],
        build: {
          script: 'dev/build/extension.ts',
          makes: ['background', 'popup', 'reader', 'sites'].map((name) => `${name}.js`),
        },
      },
    ],
  },
];

export const componentNames = components.map(({ name }) => name);

export function findComponent(name: string | undefined): Component {
  const component = components.find((candidate) => candidate.name === name);
  if (!component) {
    const problem = name === undefined ? 'No component given' : `Unknown component "${name}"`;
    throw new Refusal(`${problem}; it is one of ${componentNames.join(', ')}.`);
  }
  return component;
}
