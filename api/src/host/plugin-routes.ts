import { GONE, refusalOf, type WordPress } from './wordpress.ts';

const NO_ROUTE = 'rest_no_route';
const NO_USER = 'rest_user_invalid_id';

/** Routes of the WordPress plugin, which other sites need not have. */
export function pluginRoutes(host: WordPress, postPath: string) {
  // Until the host says that it has no such route.
  let hasLookRoute = true;
  let hasUserRoute = true;

  return {
    /**
     * Whether a post was deleted for good: true or false; 'asked' where the plugin, which tells strangers nothing, checks on
     * its own and reports deletions to us; undefined where the host does not say. Sent without credentials.
     */
    async isGone(id: number): Promise<boolean | 'asked' | undefined> {
      if (hasLookRoute) {
        const path = `trousseau/v1/registries/${id}/look`;
        const refusal = refusalOf(await host.call({ method: 'POST', path, authorization: undefined }));
        if (refusal === undefined) return 'asked';
        hasLookRoute = refusal !== NO_ROUTE;
      }
      // The text is left out: rendering a story costs the host more than all the rest.
      const query = { _fields: 'id' };
      const answer = await host.call({
        method: 'GET',
        path: `${postPath}/${id}`,
        query,
        authorization: undefined,
      });
      const refusal = refusalOf(answer);
      if (refusal === GONE) return true;
      return refusal === undefined || refusal === 'rest_forbidden' ? false : undefined;
    },

    /**
     * Whether a user was deleted or removed from the site; 'asked' where the plugin reports that user's roles to us; undefined
     * where the host does not say. Sent without credentials.
     */
    async lookAtUser(id: number): Promise<'gone' | 'asked' | undefined> {
      if (hasUserRoute) {
        const path = `trousseau/v1/users/${id}/look`;
        const refusal = refusalOf(await host.call({ method: 'POST', path, authorization: undefined }));
        if (refusal === undefined) return 'asked';
        hasUserRoute = refusal !== NO_ROUTE;
      }
      const path = `wp/v2/users/${id}`;
      const query = { _fields: 'id' };
      const answer = await host.call({ method: 'GET', path, query, authorization: undefined });
      return refusalOf(answer) === NO_USER ? 'gone' : undefined;
    },

    /**
     * Tells the plugin that items of a registry have changed; false where the host has no such plugin. Without credentials
     * the plugin looks at public registries only, and not often.
     */
    async tellChanged(authorization: string | undefined, id: number): Promise<boolean> {
      const path = `trousseau/v1/registries/${id}/changed`;
      return refusalOf(await host.call({ method: 'POST', path, authorization })) !== NO_ROUTE;
    },
  };
}
