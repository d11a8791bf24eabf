// Every kind of mail: both parts, in its reader's language, from a template that a theme replaces, with a way to get no
// more; tried again when it could not be sent, and seen by owner and administrator when it never could.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Mail } from '../../site/mail.ts';
import { skipWithoutWordPress } from '../dev/wordpress.ts';
import {
  complaints,
  decoded,
  evaluate,
  fieldsOf,
  php,
  sendWaitingMails,
  type Visitor,
  visit,
} from './site.ts';
import { startWholeSite, type WholeSite } from './whole-site.ts';

const DAY = 86_400_000;
const AUNT = 'aunt@example.org';

describe('mails', { skip: skipWithoutWordPress(), timeout: 300_000 }, () => {
  let site: WholeSite;
  let owner: Visitor;
  let aunt: Visitor;
  let id: number;
  let later = 0;
  const seen = new Map<string, Mail>();

  before(async () => {
    site = await startWholeSite(
      {
        // By sendmail itself, as where a mail server is named: PHP's own way has shorter lines.
        muPlugin: `add_action( 'phpmailer_init', function ( $mailer ) { $mailer->Mailer = 'sendmail'; $mailer->Sendmail = ini_get( 'sendmail_path' ); }, 1 );
          add_filter( 'pre_wp_mail', fn( $sent ) => get_option( 'test_no_mail' ) ? false : $sent );
          add_filter( 'get_available_languages', fn() => array( 'de_DE' ) );
          add_filter( 'gettext_trousseau', fn( $text ) => get_locale() === 'de_DE' ? "Deutsch: $text" : $text );`,
      },
      {},
      {},
      { wall: () => Date.now() + later, steady: () => performance.now() },
    );
    owner = await visit(site, site.users.alice);
    aunt = await visit(site, null);
    const form = { do: 'make', title: 'Ann & Sam', date: '2035-05-30', currency: 'EUR', surprise: 'no' };
    const made = await owner('/registries/new/', { ...form, occasion: 'home', status: 'publish' });
    id = Number(/registries\/(\d+)\//.exec(made.headers.get('location')!)![1]);
    const gifts = `/registries/${id}/gifts/`;
    for (const name of ['Pan', 'Kettle', 'Lamp', 'Chair']) {
      const fields = fieldsOf((await owner(`${gifts}?by-hand=1`)).text, 'add')!;
      const quantity = name === 'Lamp' ? '3' : '1';
      assert.equal((await owner(gifts, { ...fields, name, quantity })).status, 303);
    }
    await site.mails();
  });
  after(() => site?.stop());

  const item = (place: number) => evaluate(site, `return Trousseau\\Meta::item_ids( ${id} )[${place}];`);
  const linkIn = (mail: Mail, of: string) => {
    const url = new URL(new RegExp(`https?://\\S*${of}\\S*`).exec(mail.text)?.[0] ?? assert.fail(mail.text));
    return url.pathname + url.search;
  };
  /** The one mail that fell, remembered as this kind. */
  const one = async (kind: string, to: string, subject: RegExp) => {
    const mails = await site.mails();
    assert.deepEqual(
      mails.map((mail) => [mail.to.replace(/[<>]/g, ''), subject.test(mail.subject)]),
      [[to, true]],
      `${kind}: ${mails.map(({ subject }) => subject)}`,
    );
    seen.set(kind, mails[0]!);
    return mails[0]!;
  };
  const invite = async (guests: string, name = '') => {
    const at = `/registries/${id}/guests/`;
    const fields = fieldsOf((await owner(at)).text, 'invite')!;
    assert.equal((await owner(at, { ...fields, guests, note: 'Do come', owner: name })).status, 303);
  };
  const give = async (place: number, count = '1') => {
    const at = `/registries/${id}/give/?item=${await item(place)}`;
    assert.equal(
      (await aunt(at, { ...fieldsOf((await aunt(at)).text, 'give')!, giver: 'Aunt Ida', count })).status,
      303,
    );
  };
  const state = async (guest: string) =>
    decoded(
      new RegExp(`<strong>${guest}</strong> <small>(.*?)</small>`).exec(
        (await owner(`/registries/${id}/guests/`)).text,
      )![1]!,
    );

  test('each is sent when its time has come', async () => {
    await invite(AUNT);
    const link = linkIn(await one('invitation', AUNT, /^You are invited to “Ann & Sam”$/), 'invitation');
    assert.equal(await state(AUNT), 'mail sent');
    assert.equal((await aunt(link, { do: 'open' })).status, 303);

    await give(0);
    const gift = linkIn(await one('reserved', AUNT, /^“Pan” is reserved for you$/), '/gift/');
    await aunt(gift, { do: 'bought' });
    await one('bought', AUNT, /^Thank you for “Pan”$/);
    await aunt(gift, { do: 'release' });
    await one('changed my mind', AUNT, /^“Pan” is free again$/);

    await give(1);
    await site.mails();
    await owner(`/registries/${id}/gifts/`, { do: 'remove', item: String(await item(1)) });
    await one('removed', AUNT, /^“Kettle” was taken off the list$/);

    await give(1, '2');
    await one('several', AUNT, /^“2 × Lamp” is reserved for you$/);
    later = 12.5 * DAY;
    await sendWaitingMails(site);
    const reminder = await one('reminder', AUNT, /^Have you bought “2 × Lamp”\?$/);
    assert.match(reminder.text, /reserved for you until/);
    await sendWaitingMails(site);
    assert.deepEqual(await site.mails(), [], 'one reminder a gift, and none about what was taken off');
  });

  test('an invitation comes in the name that was said last, by whoever looks after the list', async () => {
    const at = `/registries/${id}/guests/`;
    const nameOnPage = async () => fieldsOf((await owner(at)).text, 'invite')!.owner;
    const subject = async (name: string, by: Visitor) => {
      const fields = fieldsOf((await by(at)).text, 'invite')!;
      assert.equal((await by(at, { ...fields, guests: '', owner: name })).status, 303);
      assert.equal((await by(at, { do: 'again', guest: AUNT })).status, 303);
      return (await site.mails())[0]!.subject;
    };
    assert.equal(await nameOnPage(), '', 'a user name is none');
    // As many do, this owner has made a first name the name of the account.
    assert.equal(await subject('Alice', owner), 'An invitation from Alice to “Ann & Sam”');
    const odd = 'A\\b <3 "Ann" & Sam';
    const admin = await visit(site, site.users.admin);
    assert.equal(await subject(odd, admin), `An invitation from ${odd} to “Ann & Sam”`);
    assert.equal(await nameOnPage(), odd);
    const account = `return get_userdata( ${site.users.alice.id} )->display_name;`;
    assert.equal(await evaluate(site, account), 'alice');
    const tooLong = await owner(at, { do: 'invite', guests: 'late@example.org', owner: 'x'.repeat(101) });
    assert.match(tooLong.text, /At most 100 characters, please/);
    const nobody = await owner(at, { do: 'invite', guests: '', owner: odd });
    assert.match(nobody.text, /Type at least one address or user name/);
    const fields = fieldsOf((await owner(at)).text, 'invite')!;
    assert.equal((await owner(at, { ...fields, guests: '', owner: '' })).status, 303);
    assert.deepEqual(await site.mails(), []);
  });

  test('one about a reservation that has ended, once it has', async () => {
    later = 0;
    await give(0);
    await site.mails();
    later = 40 * DAY;
    await sendWaitingMails(
      site,
      `add_filter( 'pre_http_request', static function () {
        static $asked = 0;
        return $asked++ ? exit( 'asked again' ) : new WP_Error( 'http_request_failed', 'away' );
      } );`,
    );
    const noItems = `add_filter( 'pre_http_request', fn( $answer, $how, $url ) => str_contains( $url, '/items/' ) ? new WP_Error( 'http_request_failed', 'away' ) : $answer, 10, 3 );`;
    await sendWaitingMails(site, noItems);
    assert.deepEqual(await site.mails(), [], 'nobody knows whether it is still true');
    await sendWaitingMails(site);
    await one('ended', AUNT, /^“Pan” is no longer reserved$/);
  });

  test('those to the owner: once a day what was given, and after the day who waits for thanks', async () => {
    await evaluate(site, `do_action( 'trousseau_digest' ); return 1;`);
    await site.mails();
    await give(0);
    await site.mails();
    await evaluate(site, `do_action( 'trousseau_digest' ); do_action( 'trousseau_digest' ); return 1;`);
    const digest = await one('digest', site.users.alice.email, /^Somebody gives something from “Ann & Sam”$/);
    assert.doesNotMatch(digest.raw, /Ida|aunt@|Pan\b/);
    const day = new Date(Date.now() - 5 * DAY).toISOString().slice(0, 10);
    await evaluate(
      site,
      `update_post_meta( ${id}, 'registry_event_date', '${day}' ); do_action( 'trousseau_digest' ); do_action( 'trousseau_digest' ); return 1;`,
    );
    await one('thanks', site.users.alice.email, /^Whom to thank for “Ann & Sam”$/);
  });

  test('those to owners leave out none of very many lists, and wait once for a service that is away', async () => {
    const [asked, reminded, away] = await evaluate(
      site,
      `$meta = array( 'registry_event_date' => gmdate( 'Y-m-d', time() - 6 * DAY_IN_SECONDS ) );
      for ( $made = array(); count( $made ) < 250; ) {
        $made[] = wp_insert_post( array( 'post_type' => 'registry', 'post_status' => 'private', 'post_title' => 'One of many', 'meta_input' => $meta ) );
      }
      $asked  = 0;
      $answer = new WP_Error( 'http_request_failed', 'away' );
      add_filter( 'pre_http_request', function () use ( &$asked, &$answer ) { ++$asked; return $answer; } );
      do_action( 'trousseau_digest' );
      $away   = $asked;
      $answer = array( 'headers' => array(), 'response' => array( 'code' => 200 ), 'body' => '{"claims":[],"concealed_until":null}' );
      do_action( 'trousseau_digest' );
      $asked    = 0;
      $reminded = count( array_filter( $made, fn( $id ) => get_post_meta( $id, '_trousseau_thanks_reminded', true ) ) );
      do_action( 'trousseau_digest' );
      foreach ( $made as $id ) { wp_delete_post( $id, true ); }
      return array( $asked, $reminded, $away );`,
    );
    assert.deepEqual([asked, reminded], [0, 250]);
    assert.ok(away <= 3, `waited ${away} times`);
  });

  test('those that strangers ask for', async () => {
    const stranger = await visit(site, null);
    const since = await evaluate(site, `return Trousseau\\Link::sign( 'form', (string) ( time() - 10 ) );`);
    const typed = { since, giver: 'Vera', email: 'vera@example.org' };
    const at = `/registries/${id}/give/?item=${await item(2)}`;
    await stranger(at, { ...fieldsOf((await stranger(at)).text, 'give')!, ...typed });
    await one('confirm', 'vera@example.org', /^Please confirm your gift$/);
    const mine = fieldsOf((await stranger('/registries/my-gifts/')).text, 'ask')!;
    await stranger('/registries/my-gifts/', { ...mine, ...typed });
    await one('my gifts', 'vera@example.org', /^Your gifts$/);
  });

  test('all of them have both parts, which say the same, and a way to get no more', () => {
    assert.equal(seen.size, 12);
    for (const [kind, { raw, text, html }] of seen) {
      assert.match(raw, /Content-Type: multipart\/alternative/, kind);
      assert.match(raw, /Content-Type: text\/plain; charset=(UTF-8|us-ascii)/, kind);
      assert.match(raw, /Content-Type: text\/html; charset=(UTF-8|us-ascii)/, kind);
      assert.doesNotMatch(text, /<\w|&amp;|&#/, kind);
      const noMail = /No more mails, please: (\S+)/.exec(text)![1];
      const header = /^List-Unsubscribe: (.*(?:\r?\n[ \t].*)*)/m.exec(raw)![1]!.replace(/\s/g, '');
      assert.equal(header, `<${noMail}>`, kind);
      assert.match(html, /No more mails, please<\/a>/, kind);
      for (const [url] of text.matchAll(/https?:\/\/\S+/g))
        assert.ok(html.includes(`href="${url.replaceAll('&', '&#038;')}"`), `${kind}: ${url}`);
    }
  });

  test('in the reader’s language, and in a theme’s own words', async () => {
    await evaluate(site, `return update_user_meta( ${site.users.bob.id}, 'locale', 'de_DE' );`);
    await invite('bob', 'Ann Ayer & Sam');
    const mail = await one(
      'in German',
      site.users.bob.email,
      /^Deutsch: An invitation from Ann Ayer & Sam to/,
    );
    assert.match(mail.text, /Deutsch: Open the list/);
    await evaluate(
      site,
      `$folder = get_theme_root() . '/own';
      wp_mkdir_p( "$folder/trousseau/mail" );
      file_put_contents( "$folder/style.css", "/*\\nTheme Name: Own\\nTemplate: trousseau\\n*/" );
      file_put_contents( "$folder/trousseau/mail/invitation.php", "<?php echo 'Come to us' . \\"\\\\n\\\\nAll about it\\\\n\\" . $" . 'link;' );
      switch_theme( 'own' );
      return 1;`,
    );
    await invite('carol');
    const own = await one('of a theme', site.users.carol.email, /^Come to us$/);
    assert.match(own.text, /^All about it\r?\nhttp/);
    await evaluate(
      site,
      `switch_theme( 'trousseau' ); $folder = get_theme_root() . '/own';
      array_map( 'unlink', array( "$folder/style.css", "$folder/trousseau/mail/invitation.php" ) );
      return array( rmdir( "$folder/trousseau/mail" ), rmdir( "$folder/trousseau" ), rmdir( $folder ) );`,
    );
  });

  test('one that cannot be sent is tried again; owner and administrator see when it never could', async () => {
    await evaluate(site, `return update_option( 'test_no_mail', '1' );`);
    await invite('late@example.org, never@example.org');
    assert.deepEqual(await site.mails(), []);
    assert.equal(await state('late@example.org'), 'mail is on its way');
    await evaluate(site, `return delete_option( 'test_no_mail' );`);
    await sendWaitingMails(site);
    const mails = await site.mails();
    assert.deepEqual(mails.filter(({ to }) => /late|never/.test(to)).length, 2);
    assert.equal(await state('late@example.org'), 'mail sent');

    await evaluate(site, `return update_option( 'test_no_mail', '1' );`);
    await owner(`/registries/${id}/guests/`, { do: 'again', guest: 'never@example.org' });
    for (let tries = 0; tries < 6; tries++) await sendWaitingMails(site);
    assert.equal(await state('never@example.org'), 'the mail could not be delivered');
    const admin = await visit(site, site.users.admin);
    assert.match(
      (await admin('/wp-admin/options-general.php?page=trousseau')).text,
      /1 mail to a guest or an owner could not be sent/,
    );
    await evaluate(site, `return delete_option( 'test_no_mail' );`);
    await sendWaitingMails(site);
    assert.deepEqual(
      (await site.mails()).filter(({ to }) => /never/.test(to)),
      [],
      'after its time none comes',
    );
  });

  test('one that waits is not sent to who wants no more by then, nor once the invitation was taken back', async () => {
    await evaluate(site, `return update_option( 'test_no_mail', '1' );`);
    await invite('wrong@example.org, enough@example.org');
    await owner(`/registries/${id}/guests/`, { do: 'take-back', guest: 'wrong@example.org' });
    await site.wp(`Trousseau\\Mail::refuse( 'enough@example.org' );`);
    await evaluate(site, `return delete_option( 'test_no_mail' );`);
    await sendWaitingMails(site);
    assert.deepEqual(await site.mails(), []);
    assert.equal(await state('enough@example.org'), 'the mail could not be delivered');
  });

  test('one leaves for who is on the list already and had none, and waits for a list that is away', async () => {
    const listed = [
      ...JSON.parse(await evaluate(site, `return get_post_meta( ${id}, 'registry_invitees', true );`)),
      'lost@example.org',
    ];
    // As it is when the answer to a press was lost.
    await evaluate(
      site,
      `return update_post_meta( ${id}, 'registry_invitees', ${php(JSON.stringify(listed))} );`,
    );
    await evaluate(site, `return update_option( 'test_no_mail', '1' );`);
    await invite('lost@example.org');
    const become = (status: string) =>
      evaluate(
        site,
        `delete_option( 'test_no_mail' ); return wp_update_post( array( 'ID' => ${id}, 'post_status' => '${status}' ) );`,
      );
    await become('draft');
    await sendWaitingMails(site);
    assert.deepEqual(await site.mails(), []);
    await become('publish');
    await sendWaitingMails(site);
    assert.deepEqual(
      (await site.mails()).map(({ to }) => to.replace(/[<>]/g, '')),
      ['lost@example.org'],
    );
    assert.equal(await state('lost@example.org'), 'mail sent');
  });

  test('one whose sending was cut off is sent once, later', async () => {
    const send = `Trousseau\\Mail::send( 'cut-off@example.org', 'my-gifts', array( 'link' => home_url() ) );`;
    const cut = `add_filter( 'pre_wp_mail', static function () { exit( 'cut off' ); } );`;
    // No clock takes it before this does.
    const alone = `add_filter( 'pre_schedule_event', '__return_false' );`;
    assert.match(await site.wp(`${alone} ${send} ${cut} Trousseau\\Mail::send_due();`), /cut off$/);
    await site.wp(`Trousseau\\Mail::send_due();`);
    assert.deepEqual(await site.mails(), [], 'it may still be on its way');
    await sendWaitingMails(site);
    assert.deepEqual(
      (await site.mails()).map(({ to }) => to.replace(/[<>]/g, '')),
      ['cut-off@example.org'],
    );
    await sendWaitingMails(site);
    assert.deepEqual(await site.mails(), []);
    // One that has left has left, whatever becomes of what is noted of it.
    const cutAfter = `add_filter( 'pre_update_option_trousseau_mails_sent_at', static function () { exit( 'cut off' ); } );`;
    assert.match(await site.wp(`${alone} ${send} ${cutAfter} Trousseau\\Mail::send_due();`), /cut off$/);
    assert.equal((await site.mails()).length, 1);
    await sendWaitingMails(site);
    assert.deepEqual(await site.mails(), []);
    // One that ends whoever sends it is given up.
    await site.wp(`${alone} ${send}`);
    for (let tries = 0; tries < 8; tries++) await sendWaitingMails(site, cut).catch(() => {});
    await sendWaitingMails(site);
    assert.deepEqual(await site.mails(), []);
  });

  /** An event for later in the same minute, as what is tried again has, stands for what is due now, too. */
  const nothingPlanned = () => evaluate(site, `return wp_unschedule_hook( 'trousseau_send_mails' );`);

  test('no link goes dead by who invites, opens and is written to at the same moment', async () => {
    await nothingPlanned();
    const guests = Array.from({ length: 8 }, (_, n) => `guest${n}@example.org`);
    await Promise.all([invite(guests.join('\n')), invite(guests.join('\n'))]);
    const links = (await site.mails()).map((mail) => linkIn(mail, 'invitation'));
    assert.ok(links.length >= guests.length);
    const opened = await Promise.all(
      links.map(async (link) => (await (await visit(site, null))(link, { do: 'open' })).status),
    );
    assert.deepEqual(
      opened,
      links.map(() => 303),
    );
    for (const guest of guests) assert.match(await state(guest), /^opened the list on/, guest);
    // The site's clock has read the registry long ago when its mail has left at last.
    const late = await evaluate(
      site,
      `$post = get_post( ${id} );
      $read = get_post_meta( ${id} ) ? wp_cache_get( ${id}, 'post_meta' ) : array();
      update_post_meta( ${id}, 'registry_invitees', wp_slash( wp_json_encode( array( ...Trousseau\\Meta::invitees( ${id} ), 'later@example.org' ) ) ) );
      $link = Trousseau\\Guest::link( $post, 'later@example.org' );
      wp_cache_set( ${id}, $read, 'post_meta' );
      Trousseau\\Guest::mailed( ${id}, 'guest1@example.org', Trousseau\\Guest::SENT );
      return $link;`,
    );
    const { pathname, search } = new URL(late);
    assert.equal((await (await visit(site, null))(pathname + search)).status, 200);
  });

  test('who gives much hears of all of it: what is planned counts for no day', async () => {
    await nothingPlanned();
    await evaluate(
      site,
      `for ( $n = 0; $n < 40; ++$n ) { Trousseau\\Mail::send( 'busy@example.org', 'claim-reminder', array(), time() + DAY_IN_SECONDS ); }
      for ( $n = 0; $n < 40; ++$n ) { Trousseau\\Mail::send( 'busy@example.org', 'my-gifts', array( 'link' => home_url() ) ); }
      return 1;`,
    );
    const mails: Mail[] = [];
    for (let more = await site.mails(); more.length > 0; more = await site.mails()) mails.push(...more);
    assert.deepEqual([...new Set(mails.map(({ to }) => to.replace(/[<>]/g, '')))], ['busy@example.org']);
    assert.equal(mails.length, 30, 'as many as one address gets in a day');
  });

  test('whoever wants no more gets no more, but what they ask for', async () => {
    await nothingPlanned();
    const mail = seen.get('confirm')!;
    const at = linkIn(mail, 'no-mail');
    const stranger = await visit(site, null);
    const page = await stranger(at);
    assert.match(decoded(page.text), /no more mails about lists and gifts to vera@example\.org\?/);
    assert.equal(await evaluate(site, `return Trousseau\\Mail::is_refused( 'vera@example.org' );`), false);
    assert.equal((await stranger(at, fieldsOf(page.text, 'stop')!)).status, 303);
    assert.equal(await evaluate(site, `return Trousseau\\Mail::is_refused( 'Vera@example.org' );`), true);
    await invite('vera@example.org');
    assert.deepEqual(await site.mails(), []);
    assert.equal(await state('vera@example.org'), 'the mail could not be delivered');
    const since = await evaluate(site, `return Trousseau\\Link::sign( 'form', (string) ( time() - 10 ) );`);
    const mine = fieldsOf((await stranger('/registries/my-gifts/')).text, 'ask')!;
    await stranger('/registries/my-gifts/', { ...mine, since, email: 'vera@example.org' });
    assert.equal((await site.mails()).length, 1);
  });

  test('WordPress logged nothing about the plugin', () => assert.deepEqual(complaints(site), []));
});
