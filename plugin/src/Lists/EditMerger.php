<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\OpenedForm;
use WP_Post;

/** Merges a form with what another owner has changed of the same gift or details since it was opened. */
final class EditMerger {

	public function __construct( private readonly FlashMessage $flash_message ) {
	}

	/** The text of a shown form's hidden field. A form that was sent keeps its own: after a fault it is as old as before. */
	public static function stamp( Form $form, array $values ): string {
		return $form->action === '' ? OpenedForm::stamp( $values ) : $form->text( OpenedForm::FIELD );
	}

	/**
	 * Fills the others' changes into the fields that the sender left alone. Fields that both have changed become faults which show
	 * both texts; the form then counts as opened now, so that the next press stores its fields.
	 *
	 * @param array<string, string> $sent    The sent values, as they would be stored.
	 * @param array<string, string> $present The stored ones.
	 * @param array<string, string> $labels  Field → its words on the page; the one of a picture is its fault.
	 * @param string                $picture The field of the picture. A browser doesn't send a file again by itself (`$is_upload`).
	 * @return bool|null Whether others' changes were filled in; null where both have changed a field.
	 */
	public function merge( WP_Post $post, int $item_id, Form $form, array $sent, array $present, array $labels, string $picture, bool $is_upload ): ?bool {
		$opened = OpenedForm::of( $form );
		$form->set( OpenedForm::FIELD, OpenedForm::stamp( $present ) );
		if ( ! $opened ) {
			return false;
		}
		list( $theirs, $both ) = $opened->compare( $sent, $present );

		// A second press of the same form, or its change after going back in the browser, is no other person's.
		$last    = explode( ' ', LastChanges::form( $post, $item_id ) );
		$is_same = $last[0] === $opened->name;
		$theirs  = $is_same ? array_diff_key( $theirs, array_flip( $last ) ) : $theirs;
		array_map( array( $form, 'set' ), array_keys( $theirs ), $theirs );
		if ( ! $both || $is_same ) {
			return (bool) $theirs;
		}
		foreach ( $both as $field ) {
			if ( $field === $picture ) {
				// The form now shows the other's picture, unless a file is chosen again or none is to be shown.
				$form->set( $field, $present[ $field ] );
				$form->fault( '', $labels[ $field ] );
			} else {
				$form->dispute( $field, $labels[ $field ], $present[ $field ] );
			}
		}
		if ( $is_upload ) {
			$form->fault( '', __( 'Your picture isn’t saved yet. Choose it again.', 'trousseau' ) );
		}
		$words = $item_id
			/* translators: %s: name of a person */
			? __( '%s changed this gift while you had it open, so nothing is saved yet. Compare the fields below, then save to keep what’s in them.', 'trousseau' )
			/* translators: %s: name of a person */
			: __( '%s changed these details while you had them open, so nothing is saved yet. Compare the fields below, then save to keep what’s in them.', 'trousseau' );
		$this->flash_message->say( sprintf( $words, LastChanges::person_since( $post, $item_id, $opened->at ) ?: __( 'Someone', 'trousseau' ) ) );
		return null;
	}
}
