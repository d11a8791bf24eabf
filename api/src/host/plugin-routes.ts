import { GONE, refusalOf, type WordPress } from './wordpress.ts';

const NO_ROUTE = 'rest_no_route';
const NO_USER = 'rest_user_invalid_id';
// How long to leave a site alone that seems to have no plugin: it may have been off only for a moment.
const WITHOUT_PLUGIN_MS = 10 * 60_000;

export type PluginOptions = {
  postPath: string;
  /** Only this service and the site's plugin know it: strangers' questions are refused there. */
  questionKey: () => Promise<string>;
  clock: () => number;
};

/** Routes that the WordPress plugin adds; a site may be without it. */
export function pluginRoutes(host: WordPress, { postPath, questionKey, clock }: PluginOptions) {
  let noPluginUntil = Number.NEGATIVE_INFINITY;

  /** Asks the plugin to report later. 'refused': it has yet to learn the key; undefined: the host has no such plugin. */
  async function askPlugin(path: string, more: object = {}): Promise<'asked' | 'refused' | undefined> {
    if (clock() < noPluginUntil) return undefined;
    const body = { key: await questionKey(), ...more };
    const refusal = refusalOf(await host.call({ method: 'POST', path, body, authorization: undefined }));
    if (refusal === undefined) return 'asked';
    return refusal === NO_ROUTE ? undefined : 'refused';
  }

  /** The code with which the host refuses a path, if it does. Only the id is requested: rendering a story would cost it most. */
  const refusalAt = async (path: string) =>
    refusalOf(await host.call({ method: 'GET', path, query: { _fields: 'id' }, authorization: undefined }));

  return {
    /** Whether a post is gone for good. 'asked': the plugin will report it. Undefined if the plugin refuses or nobody says. */
    async isGone(id: number): Promise<boolean | 'asked' | undefined> {
      const mayAsk = clock() >= noPluginUntil;
      const asked = await askPlugin(`trousseau/v1/registries/${id}/look`);
      if (asked) return asked === 'refused' ? undefined : asked;
      const refusal = await refusalAt(`${postPath}/${id}`);
      // A site has no registries at all while the plugin that makes them is off.
      if (refusal === NO_ROUTE) return undefined;
      if (mayAsk) noPluginUntil = clock() + WITHOUT_PLUGIN_MS;
      if (refusal === GONE) return true;
      return refusal === undefined || refusal === 'rest_forbidden' ? false : undefined;
    },

    /** Asks the plugin to report who owns a registry. The report repeats `lastEvent`, up to which it may release events. */
    async reportRights(id: number, lastEvent: string): Promise<void> {
      await askPlugin(`trousseau/v1/registries/${id}/look`, { asked: lastEvent });
    },

    /** Whether a user is gone: without the plugin, WordPress itself says so. 'asked': the plugin will report the roles. */
    async lookAtUser(id: number): Promise<'gone' | 'asked' | undefined> {
      if ((await askPlugin(`trousseau/v1/users/${id}/look`)) === 'asked') return 'asked';
      return (await refusalAt(`wp/v2/users/${id}`)) === NO_USER ? 'gone' : undefined;
    },

    /** Tells the plugin that items have changed. Returns false if the host has no such plugin. */
    async tellChanged(authorization: string | undefined, id: number): Promise<boolean> {
      const path = `trousseau/v1/registries/${id}/changed`;
      return refusalOf(await host.call({ method: 'POST', path, authorization })) !== NO_ROUTE;
    },
  };
}
