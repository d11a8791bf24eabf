#!/bin/bash
# As in MariaDB's image, the first start creates a database and its user, and the server runs as `mysql`.
set -e
as_mysql=(setpriv --reuid mysql --regid mysql --clear-groups)
install -d -o mysql /run/mysqld
chown -R mysql: /var/lib/mysql
password=${MARIADB_PASSWORD:-$(cat "${MARIADB_PASSWORD_FILE:-/dev/null}")}
if [[ ! -d /var/lib/mysql/mysql ]]; then
  "${as_mysql[@]}" mariadb-install-db --datadir=/var/lib/mysql --skip-test-db >/dev/null
  "${as_mysql[@]}" mariadbd --bootstrap <<<"FLUSH PRIVILEGES;
    CREATE DATABASE \`$MARIADB_DATABASE\`;
    CREATE USER '$MARIADB_USER'@'%' IDENTIFIED BY '$password';
    GRANT ALL ON \`$MARIADB_DATABASE\`.* TO '$MARIADB_USER'@'%';"
fi
exec "${as_mysql[@]}" "$@" --bind-address=0.0.0.0
