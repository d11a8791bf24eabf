<?php
/**
 * An address with `classic` opens the editor without blocks.
 */

add_filter( 'use_block_editor_for_post', static fn( $use ) => $use && ! isset( $_GET['classic'] ) && ! isset( $_POST['classic'] ) );
