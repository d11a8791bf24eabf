<?php
/** The drawing above a guest's thanks: a gift between two sprigs. It moves once, by the stylesheet. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

?>
<svg class="trousseau-thanks" viewBox="0 0 200 120" width="200" height="120" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round">
	<g id="trousseau-sprig"><g class="trousseau-thanks__sprig"><path d="M98 112Q46 110 28 44" stroke-width="1.5"/><path fill="currentColor" stroke="none" d="M60.3 99.0c-4.5 6.9 -12.2 6.3 -16.9 1.6c3.7 -5.4 11.2 -7.5 16.9 -1.6zM60.3 99.0c-7.2 -4 -7.1 -11.7 -2.8 -16.8c5.7 3.3 8.3 10.7 2.8 16.8zM49.1 88.2c-5.5 5.4 -12.5 3.1 -15.9 -2.1c4.6 -4.2 11.9 -4.5 15.9 2.1zM49.1 88.2c-5.7 -5.2 -4 -12.3 1 -16c4.5 4.3 5.4 11.5 -1 16zM40.2 75.0c-5.6 3.7 -11.3 0.7 -13.3 -4.3c4.6 -2.9 11 -2 13.3 4.3zM40.2 75.0c-4.1 -5.3 -1.5 -11.2 3.3 -13.6c3.2 4.4 2.8 10.8 -3.3 13.6zM33.3 60.1c-5.2 2.5 -9.7 -0.7 -10.8 -5.2c4.3 -1.9 9.5 -0.4 10.8 5.2zM33.3 60.1c-2.9 -5 0 -9.7 4.4 -11.1c2.2 4.1 1.1 9.5 -4.4 11.1zM28.0 44.0c-5.8 -2.5 -6.3 -8.4 -3.4 -12.5c4.6 2.1 7.1 7.5 3.4 12.5z"/></g></g>
	<use href="#trousseau-sprig" transform="matrix(-1 0 0 1 200 0)"/>
	<g class="trousseau-thanks__box"><path d="M68 64h64v48H68z"/><path d="M62 50h76v14H62z"/><path d="M94 50v62M106 50v62"/></g>
	<path class="trousseau-thanks__bow" d="M100 50C88 50 73 47 75 36c2-10 19-7 25 14 6-21 23-24 25-14 2 11-13 14-25 14z"/>
	<path class="trousseau-thanks__heart" d="M100 21c-8-5-10-9-7.500-12 2.500-3 6-2 7.500 1.500 1.500-3.500 5-4.500 7.500-1.500 2.500 3 .5 7-7.500 12z" fill="currentColor" stroke="none"/>
</svg>
