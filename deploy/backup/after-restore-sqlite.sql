-- Run once on a restored store, before the service starts on it:
--   sqlite3 -bail trousseau.db < after-restore-sqlite.sql
-- Numbers that were given out after the moment of the backup are left out from now on. Otherwise a page that is still
-- open could name a lost item, and mean another one; or an ETag the lost state of an item, and match a new one.
begin immediate;
update items set version = version + 1000000;
update registries set version = version + 1000000;
-- The next item of a site gets the number after its largest.
insert into items (site_id, id, registry_id, is_active, quantity_needed, quantity_purchased, name, url, created_at, updated_at)
select site_id, max(id) + 1000000, registry_id, 0, 1, 0, 'Restored from a backup', 'https://restored.invalid/',
  strftime('%Y-%m-%dT%H:%M:%fZ'), strftime('%Y-%m-%dT%H:%M:%fZ')
from items group by site_id;
-- Their processes are gone with the machine.
delete from leases;
commit;
