<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/**
 * Two owners who change the same gift or the same details: a form that is older than the list overwrites nothing unseen, and owners see who
 * changed something last. at-once.test.ts has what takes two processes, a file or a browser.
 */
final class OlderFormsTest extends ListTestCase {

	private string $gifts;

	private string $page;

	private string $details;

	protected function setUp(): void {
		parent::setUp();
		wp_delete_post( $this->list->id, true );
		$this->make();
	}

	private function make( array $item = array(), array $meta = array() ): void {
		$this->list    = $this->registry( 'alice', array( 'title' => 'Us', 'content' => 'Once upon a time.', 'status' => 'private', 'meta' => $meta + array( 'registry_owners' => '["bob"]', 'registry_currency' => 'EUR' ) ) );
		$this->gifts   = $this->path( 'gifts' );
		$this->details = $this->path( 'details' );
		$this->page    = $this->gifts . '?item=' . $this->service->add( $this->list->id, $item + array( 'name' => 'Glasses', 'url' => 'https://shop.example/glasses', 'description' => 'Six of them.' ) )->json['data']['id'];
	}

	private function opened( string $login, string $page ): array {
		$form = self::form_on( $this->page( $login, $page ), 'change' );
		self::assertNotSame( array(), $form );
		return $form;
	}

	private function both_open( string $page ): array {
		return array( $this->opened( 'alice', $page ), $this->opened( 'bob', $page ) );
	}

	private function saved( string $login, string $page, array $fields ): string {
		$answer = $this->page( $login, $page, form: $fields );
		self::assertSame( 303, $answer->status, $answer->text );
		return html_entity_decode( $this->page( $login, $page )->text, ENT_QUOTES );
	}

	private function disputed( string $login, string $page, array $fields ): Answer {
		$answer = $this->page( $login, $page, form: $fields );
		self::assertSame( 422, $answer->status, $answer->text );
		return $answer;
	}

	/** Both texts of each field that the page shows so. @return array{0: string, 1: string}[] */
	private static function both( Answer $page ): array {
		preg_match_all( '#<b>Now:</b> <bdi>(.*?)</bdi></span><span><b>Yours:</b> <bdi>(.*?)</bdi>#s', $page->text, $found, PREG_SET_ORDER );
		return array_map( static fn( array $texts ): array => array_map( static fn( string $text ): string => html_entity_decode( $text, ENT_QUOTES ), array_slice( $texts, 1 ) ), $found );
	}

	private function item( string $field ): mixed {
		return end( $this->service->items )[ $field ];
	}

	private static function assert_has( array $expected, array $fields ): void {
		self::assertSame( $expected, array_intersect_key( $fields, $expected ) + array_fill_keys( array_keys( $expected ), null ) );
	}

	public function test_the_way_of_shares_that_was_stored_without_its_gift_is_no_other_person_s(): void {
		$form = array( 'name' => 'Trip', 'pay_to' => 'In cahs' ) + self::form_on( $this->page( 'bob', "$this->gifts?fund=1" ), 'add' );
		$this->outside->answer( 'POST *', new \WP_Error( 'http_request_failed', 'Connection timed out' ) );
		$answer = $this->page( 'bob', $this->gifts, form: $form );
		self::assertSame( array( 422, 'In cahs' ), array( $answer->status, get_post_meta( $this->list->id, 'registry_pay_to', true ) ) );
		$again = $this->page( 'bob', $this->gifts, form: array( 'pay_to' => 'In cash' ) + self::form_on( $answer, 'add' ) );
		self::assertSame( array(), self::both( $again ) );
		self::assertSame( 'In cash', get_post_meta( $this->list->id, 'registry_pay_to', true ) );
	}

	public function test_owners_who_add_group_gifts_at_the_same_moment_overwrite_no_way_of_shares_unseen(): void {
		$id = $this->list->id;
		update_post_meta( $id, 'registry_pay_to', 'cash' );
		$form = array( 'name' => 'Trip', 'pay_to' => 'IBAN' ) + self::form_on( $this->page( 'bob', "$this->gifts?fund=1" ), 'add' );

		// Alice's request stores hers after Bob's has read the list's meta.
		$meanwhile = static function ( string $statement ) use ( &$meanwhile, $id ): string {
			if ( preg_match( "/lock_edit-$id\b|meta_key = 'registry_pay_to'/", $statement ) ) {
				remove_filter( 'query', $meanwhile );
				$wpdb = $GLOBALS['wpdb'];
				$wpdb->update( $wpdb->postmeta, array( 'meta_value' => 'PayPal' ), array( 'post_id' => $id, 'meta_key' => 'registry_pay_to' ) );
			}
			return $statement;
		};
		add_filter( 'query', $meanwhile );
		$answer = $this->disputed( 'bob', $this->gifts, $form );
		remove_filter( 'query', $meanwhile );
		self::assertSame( array( array( 'PayPal', 'IBAN' ) ), self::both( $answer ) );
		wp_cache_delete( $id, 'post_meta' );
		self::assertSame( 'PayPal', get_post_meta( $id, 'registry_pay_to', true ) );
	}

	public function test_a_new_gift_whose_way_of_shares_is_disputed_says_that_its_picture_is_not_stored(): void {
		update_post_meta( $this->list->id, 'registry_pay_to', 'cash' );
		$form = array( 'name' => 'Trip', 'pay_to' => 'IBAN' ) + self::form_on( $this->page( 'alice', "$this->gifts?fund=1" ), 'add' );
		update_post_meta( $this->list->id, 'registry_pay_to', 'PayPal' );
		$answer = $this->page( 'alice', $this->gifts, form: $form, files: array( 'upload' => $this->uploaded() ) );
		self::assertSame( array( array( 'PayPal', 'IBAN' ) ), self::both( $answer ) );
		self::assertStringContainsString( 'Your picture isn’t saved yet. Choose it again.', html_entity_decode( $answer->text, ENT_QUOTES ) );
	}

	public function test_each_keeps_the_fields_that_only_they_have_changed(): void {
		list( $one, $other ) = $this->both_open( $this->page );
		$this->saved( 'alice', $this->page, array( 'name' => 'Wine glasses', 'section' => 'Kitchen' ) + $one );
		$saved = $this->page( 'bob', $this->page, form: array( 'price' => '24.9', 'description' => 'Two of them.' ) + $other );
		self::assertMatchesRegularExpression( '/Wine glasses.{0,6} is saved\. Someone else changed it in the meantime, and/', self::words( $this->page( 'bob', strtok( $saved->location(), '#' ), $saved->cookies )->text ) );
		self::assertSame( array( 'Wine glasses', 24.9, 'Two of them.' ), array( $this->item( 'name' ), (float) $this->item( 'price' ), $this->item( 'description' ) ) );
		self::assert_has( array( 'price' => '24.90', 'section' => 'Kitchen' ), $this->opened( 'bob', $this->page ) );
		self::assertStringContainsString( 'Kitchen', $this->page( 'alice', $this->gifts )->text );
	}

	public function test_a_field_that_both_have_changed_is_asked_about_and_the_next_press_stores_the_fields(): void {
		list( $one, $other ) = $this->both_open( $this->page );
		$this->saved( 'alice', $this->page, array( 'name' => 'Wine glasses', 'retailer' => 'Anna’s shop' ) + $one );
		$answer = $this->disputed( 'bob', $this->page, array( 'name' => 'Beer & glasses', 'description' => 'Big ones.' ) + $other );
		self::assertSame( array( array( 'Wine glasses', 'Beer & glasses' ) ), self::both( $answer ) );
		self::assertMatchesRegularExpression( '/alice.{0,9} changed this gift while you had it open/i', $answer->text );
		self::assertSame( array( 'Wine glasses', 'Six of them.' ), array( $this->item( 'name' ), $this->item( 'description' ) ), 'nothing is stored by halves' );
		$again = self::form_on( $answer, 'change' );
		self::assert_has( array( 'name' => 'Beer & glasses', 'description' => 'Big ones.', 'retailer' => 'Anna’s shop' ), $again );
		$this->saved( 'bob', $this->page, $again );
		self::assertSame( array( 'Beer & glasses', 'Big ones.', 'Anna’s shop' ), array( $this->item( 'name' ), $this->item( 'description' ), $this->item( 'retailer' ) ) );
	}

	public function test_a_third_change_asks_again_and_a_fault_of_its_own_keeps_a_form_as_old_as_it_was(): void {
		list( $one, $other ) = $this->both_open( $this->page );
		$this->saved( 'alice', $this->page, array( 'name' => 'A' ) + $one );
		$second = self::form_on( $this->disputed( 'bob', $this->page, array( 'name' => 'B' ) + $other ), 'change' );
		$this->saved( 'alice', $this->page, array( 'name' => 'C' ) + $this->opened( 'alice', $this->page ) );
		self::assertSame( array( array( 'C', 'B' ) ), self::both( $this->disputed( 'bob', $this->page, $second ) ) );
		self::assertSame( 'C', $this->item( 'name' ) );

		$faulty = $this->disputed( 'bob', $this->page, array( 'quantity' => '0' ) + $this->opened( 'bob', $this->page ) );
		self::assertSame( array(), self::both( $faulty ) );
		$this->saved( 'alice', $this->page, array( 'name' => 'D' ) + $this->opened( 'alice', $this->page ) );
		$this->saved( 'bob', $this->page, array( 'quantity' => '2' ) + self::form_on( $faulty, 'change' ) );
		self::assertSame( array( 'D', 2 ), array( $this->item( 'name' ), $this->item( 'quantity_needed' ) ) );
	}

	public function test_a_double_press_the_same_words_twice_and_the_way_back_in_the_browser_are_no_dispute(): void {
		list( $one, $other ) = $this->both_open( $this->page );
		$typed               = array( 'name' => 'Wine glasses', 'price' => '24,9', 'address' => '' );
		$this->saved( 'alice', $this->page, $typed + $one );
		$this->saved( 'alice', $this->page, $typed + $one );
		$this->saved( 'bob', $this->page, array( 'name' => 'Wine glasses', 'price' => '24.90' ) + $other );
		$this->saved( 'alice', $this->page, array( 'name' => 'Jugs' ) + $this->opened( 'alice', $this->page ) );
		$form = $this->opened( 'alice', $this->page );
		foreach ( array( 'Mugs', 'Cups', 'Jugs' ) as $name ) {
			$this->saved( 'alice', $this->page, array( 'name' => $name ) + $form );
			self::assertSame( $name, $this->item( 'name' ), 'also as it was when the form was opened' );
		}
		list( $one, $other ) = $this->both_open( $this->page );
		$this->saved( 'bob', $this->page, array( 'description' => 'Blown glass' ) + $other );
		$this->saved( 'alice', $this->page, array( 'name' => 'Mugs' ) + $one );
		$this->saved( 'alice', $this->page, $one );
		self::assertSame( array( $one['name'], 'Blown glass' ), array( $this->item( 'name' ), $this->item( 'description' ) ), 'the other owner’s change stays' );
	}

	public function test_a_claim_changes_nothing_about_a_form_and_a_picture_and_the_way_of_shares_are_compared_before_they_are_stored(): void {
		$this->make( array( 'unit' => 'money', 'quantity_needed' => 50_000, 'image_url' => 'https://shop.example/a.png' ), array( 'registry_pay_to' => 'cash', 'registry_surprise_until' => 'always' ) );
		list( $one, $other )                                                                   = $this->both_open( $this->page );
		$this->service->items[ array_key_last( $this->service->items ) ]['quantity_purchased'] = 10_000;
		$this->saved( 'alice', $this->page, array( 'pay_to' => 'PayPal', 'no-picture' => '1' ) + $one );
		$answer = $this->disputed( 'bob', $this->page, array( 'pay_to' => 'IBAN' ) + $other );
		self::assertSame( array( array( 'PayPal', 'IBAN' ) ), self::both( $answer ) );
		self::assertDoesNotMatchRegularExpression( '/100[.,]00|10[.,]?000(?!0)/', $answer->text );
		self::assertSame( 'PayPal', get_post_meta( $this->list->id, 'registry_pay_to', true ) );
		$this->saved( 'bob', $this->page, self::form_on( $answer, 'change' ) );
		self::assertSame( 'IBAN', get_post_meta( $this->list->id, 'registry_pay_to', true ) );
		self::assertNull( $this->item( 'image_url' ), 'an untouched picture follows' );
	}

	public function test_a_new_gift_leaves_the_way_of_shares_as_another_owner_has_changed_it_meanwhile(): void {
		update_post_meta( $this->list->id, 'registry_pay_to', 'cash' );
		$fund = array( 'name' => 'Honeymoon' ) + self::form_on( $this->page( 'bob', "$this->gifts?fund=1" ), 'add' );
		$lamp = array( 'name' => 'Lamp' ) + self::form_on( $this->page( 'bob', "$this->gifts?by-hand=1" ), 'add' );
		update_post_meta( $this->list->id, 'registry_pay_to', 'PayPal' );
		foreach ( array( $fund, $lamp ) as $form ) {
			self::assertSame( 303, $this->page( 'bob', $this->gifts, form: $form )->status, $form['name'] );
			self::assertSame( 'PayPal', get_post_meta( $this->list->id, 'registry_pay_to', true ), $form['name'] );
		}
		$answer = $this->disputed( 'bob', $this->gifts, array( 'name' => 'Trip', 'pay_to' => 'IBAN', 'key' => '' ) + $fund );
		self::assertSame( array( array( 'PayPal', 'IBAN' ) ), self::both( $answer ) );
		self::assertSame( 303, $this->page( 'bob', $this->gifts, form: self::form_on( $answer, 'add' ) )->status );
		self::assertSame( 'IBAN', get_post_meta( $this->list->id, 'registry_pay_to', true ) );
	}

	public function test_details_are_merged_and_asked_about_in_the_same_way(): void {
		list( $one, $other ) = $this->both_open( $this->details );
		$this->saved( 'alice', $this->details, array( 'title' => 'Ann & Bob', 'occasion' => 'baby', 'story' => "First.\n\nSecond." ) + $one );
		$answer = $this->disputed( 'bob', $this->details, array( 'title' => 'Bob & Ann', 'occasion' => 'home', 'date' => '2027-05-30' ) + $other );
		self::assertSame( array( array( 'Ann & Bob', 'Bob & Ann' ), array( 'Baby', 'New home' ) ), self::both( $answer ) );
		self::assertStringContainsString( 'changed these details while you had them open', $answer->text );
		self::assertStringNotContainsString( '2027-05-30', $this->page( 'alice', $this->details )->text );
		$again    = self::form_on( $answer, 'change' );
		$expected = array( 'title' => 'Bob & Ann', 'occasion' => 'home', 'date' => '2027-05-30', 'story' => "First.\n\nSecond." );
		self::assertEquals( $expected, array_intersect_key( $again, $expected ) );
		$this->saved( 'bob', $this->details, array( 'occasion' => 'baby' ) + $again );
		self::assertEquals( array( 'occasion' => 'baby' ) + $expected, array_intersect_key( $this->opened( 'alice', $this->details ), $expected ) );
		list( $left, $right ) = $this->both_open( $this->details );
		$this->saved( 'alice', $this->details, array( 'pay_to' => 'cash' ) + $left );
		$this->saved( 'bob', $this->details, array( 'occasion' => 'other', 'other' => 'Picnic' ) + $right );
		self::assertSame( 'cash', get_post_meta( $this->list->id, 'registry_pay_to', true ) );
	}

	public function test_owners_see_who_changed_something_last_where_there_are_several(): void {
		$read = fn( string $login, string $page ): string => $this->page( $login, $page )->text;
		self::assertStringNotContainsString( 'Changed by', $read( 'alice', $this->gifts ) . $read( 'alice', $this->details ) );
		$this->saved( 'bob', $this->page, array( 'name' => 'Mugs' ) + $this->opened( 'bob', $this->page ) );
		$this->saved( 'alice', $this->details, array( 'title' => 'Ann', 'status' => 'publish' ) + $this->opened( 'alice', $this->details ) );
		self::assertMatchesRegularExpression( '/Changed by .?.?.?bob.?.?.?, \S.* ago/i', $read( 'alice', $this->gifts ) );
		self::assertMatchesRegularExpression( '/Changed by you, \S.* ago/', $read( 'bob', $this->gifts ) );
		self::assertMatchesRegularExpression( '/<small>Changed by .?.?.?alice.?.?.?, \S.* ago/i', $read( 'bob', $this->details ) );
		self::assertDoesNotMatchRegularExpression( '/Changed by|trousseau_changes/', $this->rest( 'alice', 'GET', '/wp/v2/registry' )->text . $this->page( null, "/?registry={$this->list->id}" )->text );
		self::assertMatchesRegularExpression( '/Last changed by you.{1,30}Mugs: 20\d\d-/u', $this->exported( 'bob@example.test' ) );
		$this->outside->answer( 'DELETE /claims?*', array( 'erased' => 0 ) );
		$this->in_request( 'admin', static fn() => self::call( 'personal_data', 'eraser', 'bob@example.test', 1 ) );
		self::assertStringNotContainsString( 'Changed by', $read( 'alice', $this->gifts ), 'of one owner' );
		self::assertSame( 303, $this->send_form( 'alice', "/registries/{$this->list->id}/people/", 'add', array( 'person' => 'carol@example.test' ) )->status );
		self::assertStringContainsString( 'Changed by a former owner', $read( 'alice', $this->gifts ) );
		self::assertStringNotContainsStringIgnoringCase( 'bob', $read( 'alice', $this->gifts ) );
	}

	public function test_a_gift_that_is_moved_or_removed_counts_as_changed_and_details_by_any_way(): void {
		$by_alice  = fn( string $page, string $done = 'Changed' ) => self::assertMatchesRegularExpression( "/$done by .?.?.?alice.?.?.?, \S.* ago/i", $this->page( 'bob', $page )->text );
		$by_bob    = fn( string $page ) => self::assertMatchesRegularExpression( '/Changed by you, \S.* ago/', $this->page( 'bob', $page )->text );
		$gift      = (string) array_key_last( $this->service->items );
		$removings = array( array( array( 'do' => 'move', 'up' => $gift ), 'Changed', 'got' ), array( array( 'do' => 'remove', 'item' => $gift ), 'Removed', 'restore' ) );
		foreach ( $removings as list( $fields, $done, $back ) ) {
			self::assertSame( 303, $this->page( 'alice', $this->gifts, form: $fields )->status );
			$by_alice( $this->gifts, $done );
			self::assertSame( 303, $this->page( 'bob', $this->gifts, form: array( 'do' => $back, 'item' => $gift ) )->status );
			$by_bob( $this->gifts );
		}
		$read = fn(): string => preg_replace( '/Changed by you, \K\S.* ago/', '', strip_tags( self::found( "/<li id=\"trousseau-item-$gift\".*?<\/small>/s", $this->page( 'alice', $this->gifts )->text ) ) );
		$said = $read();
		self::assertSame( array( 303, 303 ), array_map( fn( string $do ): int => $this->page( 'alice', $this->gifts, form: array( 'do' => $do, 'item' => $gift ) )->status, array( 'remove', 'restore' ) ) );
		self::assertSame( $said, $read(), 'after “Undo” it is as before' );
		$change = fn( string $login, array $meta ) => self::assertSame( 200, $this->rest( $login, 'POST', "/wp/v2/registry/{$this->list->id}", compact( 'meta' ) )->status );
		$change( 'alice', array( 'registry_event_date' => '2036-05-30' ) );
		$by_alice( $this->details );
		$change( 'bob', array( 'registry_event_date' => '2036-05-31' ) );
		$by_bob( $this->details );
		// The service writes the order of gifts, and what others ask for, with the password of its own account.
		$change( 'admin', array( 'registry_event_date' => '2036-06-01' ) );
		$by_bob( $this->details );
		$change( 'alice', array( 'registry_item_ids' => "[$gift]" ) );
		$by_bob( $this->details );
		self::assertSame( 200, $this->rest( 'admin', 'POST', "/wp/v2/registry/{$this->list->id}", array( 'title' => 'Ann & Bob' ), true )->status );
		self::assertStringContainsString( '<small>Changed by an administrator', $this->page( 'bob', $this->details )->text );
	}

	public function test_a_save_writes_what_the_site_stores_of_a_gift_and_who_changed_it_once_under_one_lock(): void {
		$written = array();
		$locks   = 0;
		$write   = static function ( $id, $post, string $key ) use ( &$written ): void {
			str_starts_with( $key, '_trousseau_' ) && $written[] = $key;
		};
		$take    = static function ( string $query ) use ( &$locks ): string {
			$locks += preg_match( '/^(INSERT|UPDATE)\b.*lock_meta-/s', $query );
			return $query;
		};
		foreach ( array( 'added_post_meta', 'updated_post_meta', 'deleted_post_meta' ) as $hook ) {
			add_action( $hook, $write, 10, 3 );
		}
		add_filter( 'query', $take );
		$save = function ( string $page, string $action, array $fields ) use ( &$written, &$locks ): array {
			list( $written, $locks ) = array( array(), 0 );
			self::assertSame( 303, $this->send_form( 'alice', $page, $action, $fields )->status );
			return array( $written, $locks );
		};
		$once = array( array( '_trousseau_gift_notes' ), 1 );
		self::assertSame( $once, $save( $this->page, 'change', array( 'section' => 'Kitchen', 'most_wanted' => '1' ) ) );
		self::assertSame( $once, $save( $this->page, 'change', array( 'description' => 'Twelve of them.' ) ) );
		self::assertSame( $once, $save( "$this->gifts?by-hand=1", 'add', array( 'name' => 'Pan', 'section' => 'Kitchen' ) ) );
		self::assertSame( $once, $save( $this->details, 'change', array( 'title' => 'The two of us' ) ) );
		self::assertSame( array( array( '_trousseau_drafts' ), 1 ), $save( "$this->gifts?by-hand=1", 'add', array( 'name' => 'Pot', 'draft' => '1' ) ) );
		self::assertSame( $once, $save( $this->page, 'got', array() ) );
		self::assertSame( $once, $save( $this->page, 'not-got', array() ) );
		self::assertStringContainsString( 'Changed by alice', $this->page( 'bob', $this->gifts )->text );
		foreach ( array_column( $this->service->items, 'id' ) as $gift ) {
			self::assertSame( array( array( '_trousseau_removed' ), 1 ), $save( $this->gifts, 'remove', array( 'item' => (string) $gift ) ) );
		}
		self::assertMatchesRegularExpression( '#<li><span>Pan <small>Removed by alice#', $this->page( 'bob', $this->gifts )->text );
	}
}
