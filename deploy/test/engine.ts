// A container engine with its own storage, which leaves nothing behind: Debian's podman, driven by Debian's Compose. Stand-ins
// made from Debian's packages replace base images, because no image registry is reachable.
import { type ChildProcess, execFile as execFileCallback, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../../dev/until.ts';

const execFile = promisify(execFileCallback);
const top = join(import.meta.dirname, '../..');
const bases = {
  node: 'node:24-slim',
  wordpress: 'wordpress:6-php8.3-apache',
  mariadb: 'mariadb:11',
  postgres: 'postgres:17',
  nginx: 'nginx:1',
};

type Run = (program: string, args: string[], cwd?: string) => Promise<string>;

export type Engine = Awaited<ReturnType<typeof startEngine>>;

export async function startEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-containers-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const env = {
    ...process.env,
    // crun refuses hybrid cgroups, and without systemd nothing else manages them or stores events.
    CONTAINERS_CONF: file(
      'containers.conf',
      `[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n
       [containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\nlog_driver = "k8s-file"\n
       [network]\nnetwork_backend = "netavark"\nnetwork_config_dir = "${folder}/networks"\n`,
    ),
    CONTAINERS_STORAGE_CONF: file(
      'storage.conf',
      `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
    ),
    // The other format has no health check.
    BUILDAH_FORMAT: 'docker',
    DOCKER_HOST: `unix://${folder}/socket`,
    COMPOSE_HTTP_TIMEOUT: '600',
  };
  const run: Run = async (program, args, cwd = top) => {
    const options = { cwd, env, maxBuffer: 1e9 };
    const { stdout } = await execFile(program, args, options).catch(({ stdout, stderr }) => {
      throw new Error(`${program} ${args.join(' ')}\n${stdout?.slice(-3000)}\n${stderr?.slice(-3000)}`);
    });
    return stdout.trim();
  };
  const podman = (...args: string[]) => run('podman', args);
  let service: ChildProcess | undefined;
  let isOver = false;

  /** Runs health checks, as systemd's timers do elsewhere. */
  const watchHealth = async () => {
    while (!isOver) {
      for (const name of (await podman('ps', '-q')).split('\n').filter(Boolean)) {
        const check = spawn('podman', ['healthcheck', 'run', name], { env, stdio: 'ignore' });
        await once(check, 'exit');
      }
      await sleep(5000);
    }
  };

  const stop = async () => {
    isOver = true;
    await watching;
    spawnSync('podman', ['rm', '-a', '-f', '-t', '0'], { env });
    spawnSync('podman', ['network', 'prune', '-f'], { env });
    service?.kill();
    spawnSync('podman', ['unmount', '-a', '-f'], { env });
    // Layers may still be mounted here.
    for (const path of ['storage/overlay', 'run']) spawnSync('umount', ['-R', '-q', join(folder, path)]);
    // Processes that are just ending may still write for a moment.
    await execFile('timeout', ['600', 'sh', '-c', 'until rm -rf "$0"; do sleep 1; done', folder]);
  };
  let watching: Promise<void> | undefined;

  try {
    await makeBases(folder, run);
    service = spawn('podman', ['system', 'service', '--time=0', env.DOCKER_HOST], { env, stdio: 'ignore' });
    await until('the engine listens', () => existsSync(join(folder, 'socket')));
    watching = watchHealth();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    folder,
    podman,
    build: (target: string, image: string) =>
      podman('build', '-q', '--network', 'host', '--target', target, '-t', image, '.'),
    compose: (project: string, cwd: string, ...args: string[]) =>
      run('docker-compose', ['-p', project, ...args], cwd),
    async isHealthy(name: string): Promise<boolean> {
      const [state] = JSON.parse(await podman('inspect', name));
      return state.State.Running && state.State.Health?.Status === 'healthy';
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Builds the stand-ins under the names that the files use. */
async function makeBases(folder: string, run: Run): Promise<void> {
  const asked = `apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian'`;
  const mirror = await run('sh', ['-c', `${asked} | sort -u | head -1`]);
  const debian = join(folder, 'debian.tar');
  // Like Debian's own slim image, without documentation and translations.
  const excluded = ['man', 'doc', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  const source = `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} bookworm main`;
  await run('mmdebstrap', ['--quiet', '--variant=apt', ...excluded, 'bookworm', debian, source]);
  await run('podman', ['import', '-q', debian, 'debian']);
  rmSync(debian);

  const context = join(folder, 'bases');
  cpSync(join(import.meta.dirname, 'bases'), context, { recursive: true });
  cpSync(join(top, 'node_modules/node/bin/node'), join(context, 'node'), { dereference: true });
  const npm = join(process.env.npm_execpath!, '../..');
  cpSync(npm, join(context, 'npm'), { recursive: true, dereference: true });
  // The certificate authorities that this machine trusts.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(context, 'certificates.pem'));
  const registry = await run('npm', ['config', 'get', 'registry']);
  writeFileSync(join(context, 'npmrc'), `registry=${registry}\ncafile=/etc/ssl/certs/machine.pem\n`);
  const building = 'build -q --network host --target'.split(' ');
  for (const [target, image] of Object.entries(bases))
    await run('podman', [...building, target, '-t', `docker.io/library/${image}`, context]);
  rmSync(context, { recursive: true });
}

/** Copies a folder's compose file for the test to change, without the one line that Debian's older Compose doesn't support. */
export function copyCompose(from: string, to: string, change = (text: string) => text): void {
  mkdirSync(to, { recursive: true });
  const text = readFileSync(from, 'utf8').replace(/^name: .*\n/m, '');
  writeFileSync(join(to, 'compose.yaml'), change(text));
}
