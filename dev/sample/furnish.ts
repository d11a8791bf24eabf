// Gives a new site a name, a page of its own and pictures, in the folder `sample` of its uploads.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { changePost, setOptions } from '../wordpress/set-up.ts';
import type { WordPress } from '../wordpress/wordpress.ts';

const taglines: Record<string, string> = {
  ar: 'قوائم هدايا للأيام التي لا تُنسى',
  de_DE: 'Wunschlisten für die großen Tage',
  es_ES: 'Listas de regalos para los días que importan',
  fr_FR: 'Des listes de cadeaux pour les jours qui comptent',
};

const pictures = join(import.meta.dirname, 'pictures');

export async function furnish(site: WordPress): Promise<void> {
  await setOptions(site, {
    blogdescription: taglines[await site.call('get_locale')] ?? 'Gift lists for the days that matter',
    date_format: 'j F Y',
    show_avatars: 0, // they would come from gravatar.com
  });
  await changePost(site, 2, {
    post_title: 'Our story',
    post_name: 'our-story',
    post_content: '<!-- wp:paragraph --><p>Two friends who received five toasters.</p><!-- /wp:paragraph -->',
  });
  const { baseurl } = await site.call('wp_upload_dir');
  cpSync(pictures, join(site.folder, new URL(baseurl).pathname, 'sample'), { recursive: true });
}
