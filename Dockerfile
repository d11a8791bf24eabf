# Two images: `trousseau-api`, the item service, and `trousseau`, a WordPress with the plugin and the theme.
#   docker build --target api -t trousseau-api .
#   docker build --target wordpress -t trousseau .
FROM --platform=$BUILDPLATFORM node:24-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
COPY api/package.json api/
COPY client/package.json client/
RUN npm ci --omit=dev --workspace api --ignore-scripts \
  && find node_modules -name '*.map' -delete -o -name '*.md' ! -iname 'licen[cs]e*' -delete -o -name '*.d.*ts' -delete -o -name '*.d.ts' -delete

FROM --platform=$BUILDPLATFORM install AS build
RUN npm ci --ignore-scripts
COPY . .
RUN node dev/build/plugin.ts && node dev/build/theme.ts && rm -r plugin/src/*/scripts

# Half of Node's own image is headers, npm and Yarn.
FROM node:24-slim AS node
RUN rm -rf /usr/local/include /usr/local/lib/node_modules /usr/local/share /opt/yarn*

FROM scratch AS api
COPY --from=node / /
# SQLite's temporary files go onto the volume: all else may be read-only.
ENV PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production APP_ENV=production LISTEN_ADDRESS=0.0.0.0 \
  DATABASE_URL=sqlite:/data/trousseau.db SQLITE_TMPDIR=/data
WORKDIR /app
COPY --from=install /app/node_modules node_modules
COPY package.json ./
COPY api/package.json api/start.js api/
COPY api/src api/src
COPY api/emulator api/emulator
COPY deploy/backup/after-restore-sqlite.sql api/
# Any user may write here: `--user` names another than node's.
RUN install -d -m 1777 -o node -g node /data
USER 1000:1000
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8000}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# As `npm start`.
CMD ["node", "--max-semi-space-size=8", "api/start.js"]

FROM wordpress:6-php8.3-apache AS wordpress
# The names of compose.yaml.
ENV PORT=8080 TROUSSEAU_SERVICE=http://api:8000 WORDPRESS_DB_HOST=database WORDPRESS_DB_USER=wordpress \
  APACHE_RUN_DIR=/tmp/apache2 APACHE_LOCK_DIR=/tmp/apache2 APACHE_PID_FILE=/tmp/apache2/pid \
  WORDPRESS_CONFIG_EXTRA="define( 'WP_HOME', getenv( 'SITE_URL' ) ); define( 'WP_SITEURL', WP_HOME );"
COPY --from=build /app/plugin /usr/share/trousseau/plugin
COPY --from=build /app/theme /usr/share/trousseau/theme
COPY deploy/image/trousseau.php /usr/share/trousseau/
COPY deploy/image/apache2-trousseau /usr/local/bin/
COPY deploy/image/uploads.ini /usr/local/etc/php/conf.d/
# Links stay in the volume with WordPress's files; what they lead to changes with the image.
RUN cd /usr/src/wordpress/wp-content && mkdir -p mu-plugins \
  && ln -s /usr/share/trousseau/plugin plugins/trousseau && ln -s /usr/share/trousseau/theme themes/trousseau \
  && ln -s /usr/share/trousseau/trousseau.php mu-plugins/ && chmod 1777 . mu-plugins plugins themes \
  && sed -i 's/^Listen 80$/Listen 8080/' /etc/apache2/ports.conf && sed -i 's/:80>/:*>/' /etc/apache2/sites-enabled/000-default.conf
USER www-data
VOLUME /var/www/html
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/wp-login.php"]
# WordPress's own entry point can fill a volume only as www-data or root.
ENTRYPOINT ["sh", "-c", "[ -e .copied ] || [ -e wp-config.php ] || { cp -RP /usr/src/wordpress/. . && touch .copied; } || exit 1; exec docker-entrypoint.sh \"$@\"", "--"]
CMD ["apache2-trousseau"]
