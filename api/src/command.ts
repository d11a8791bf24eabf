// `npx trousseau`: the service and its tools, as their package has them. In the checkout they are npm's scripts.
const HELP = `npx trousseau              starts the item service; its settings are environment variables
npx trousseau sites …      adds, shows and changes the sites of a service with SITES=on
npx trousseau doctor …     checks a WordPress site, the service and its store
npx trousseau conformance  checks a running service against docs/contract
npx trousseau mcp          gives an assistant your gift lists, over the Model Context Protocol

Each of the four says more with --help. npx trousseau --version prints the version.
`;

const [name = '', ...rest] = process.argv.slice(2);
// As in start.js, which the checkout starts with.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15))
  fail(`Trousseau needs Node 24.15 or newer, and this is ${process.versions.node}.`);
else if (name === '') await import('./main.ts');
else if (name === 'sites') process.exitCode = await (await import('./commands/sites.ts')).runSites(rest);
else if (name === 'doctor') await (await import('./commands/doctor.ts')).runDoctor(rest);
// Imported by address: these files exist only in the package, and the service never imports them.
else if (name === 'conformance')
  await (await import(new URL('../conformance/main.js', import.meta.url).href)).runConformance(rest);
else if (name === 'mcp')
  await (await import(new URL('../client/mcp/main.js', import.meta.url).href)).runMcp(rest);
else if (name === '--help') process.stdout.write(HELP);
else if (name === '--version')
  console.log((await import('../package.json', { with: { type: 'json' } })).default.version);
else fail(`There is no command ${name}: npx trousseau --help lists them all.`);

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}
