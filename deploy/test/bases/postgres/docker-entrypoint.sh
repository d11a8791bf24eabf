#!/bin/bash
# As in PostgreSQL's image, the first start creates a database and its user, and the server runs as `postgres`.
set -e
data=/var/lib/postgresql/data
bin=$(ls -d /usr/lib/postgresql/*/bin)
as_postgres=(setpriv --reuid postgres --regid postgres --clear-groups)
chown -R postgres: "$data"
chmod 700 "$data"
if [[ ! -e $data/PG_VERSION ]]; then
  install -o postgres -m 600 /dev/null /tmp/password
  echo "$POSTGRES_PASSWORD" >/tmp/password
  "${as_postgres[@]}" "$bin/initdb" -D "$data" -U "$POSTGRES_USER" --auth-host scram-sha-256 --auth-local trust --pwfile=/tmp/password >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  "${as_postgres[@]}" "$bin/postgres" --single -D "$data" postgres <<<"CREATE DATABASE $POSTGRES_DB" >/dev/null
fi
exec "${as_postgres[@]}" "$bin/postgres" -D "$data" -c listen_addresses='*' "$@"
