#!/bin/sh
# As in nginx's image, variables in the templates are filled in before the start.
set -e
names=$(env | sed 's/=.*//' | grep -E "${NGINX_ENVSUBST_FILTER:-.}" | sed 's/.*/${&}/' | tr '\n' ' ')
for template in /etc/nginx/templates/*.template; do
  envsubst "$names" <"$template" >"/etc/nginx/conf.d/$(basename "$template" .template)"
done
exec nginx -g 'daemon off;'
