// Gives a new site a name, a page of its own and pictures, in the folder `sample` of its uploads.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from '../wordpress/site.ts';
import type { WordPress } from '../wordpress/wordpress.ts';

const pictures = join(import.meta.dirname, 'pictures');

export async function furnish(site: WordPress): Promise<void> {
  const folder: string = await evaluate(
    site,
    `update_option( 'blogdescription', 'Gift lists for the days that matter' );
    update_option( 'date_format', 'j F Y' );
    update_option( 'show_avatars', 0 ); // they would come from gravatar.com
    wp_update_post( array( 'ID' => 2, 'post_title' => 'Our story', 'post_name' => 'our-story', 'post_content' => '<!-- wp:paragraph --><p>Two friends who received five toasters.</p><!-- /wp:paragraph -->' ) );
    return substr( wp_upload_dir()['basedir'], strlen( ABSPATH ) );`,
  );
  cpSync(pictures, join(site.folder, folder, 'sample'), { recursive: true });
}
