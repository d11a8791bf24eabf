-- Run once on a restored store, before the service starts on it:
--   psql --single-transaction -v ON_ERROR_STOP=1 -f after-restore-postgres.sql "$DATABASE_URL"
-- Numbers that were given out after the moment of the backup are left out from now on. Otherwise a page that is still
-- open could name a lost item, and mean another one; or an ETag the lost state of an item, and match a new one.
update items set version = version + 1000000;
update registries set version = version + 1000000;
update item_ids set last = last + 1000000;
-- Their processes are gone with the machine.
delete from leases;
