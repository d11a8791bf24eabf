#!/bin/sh
exec mariadb-admin --silent ping
