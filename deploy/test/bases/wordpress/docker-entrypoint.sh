#!/bin/bash
# As in WordPress's image, the web server's command first copies WordPress's files, keeping links, and generates the keys.
set -e
if [[ $1 == apache2* ]]; then
  [[ -e index.php ]] || tar -C /usr/src/wordpress -cf - . | tar -xf - --no-overwrite-dir --no-same-owner
  if [[ ! -e wp-config.php ]]; then
    while IFS= read -r line; do
      printf '%s\n' "${line/put your unique phrase here/$(head -c 48 /dev/urandom | base64 -w0)}"
    done <wp-config-docker.php >wp-config.php
  fi
fi
exec "$@"
