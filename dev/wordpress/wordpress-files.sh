#!/usr/bin/env bash
# Puts the WordPress of another Debian suite into a folder, with the libraries that its package links to:
#   wordpress-files.sh SUITE FOLDER
# and prints the folder for TROUSSEAU_DEV_WORDPRESS. It installs nothing, doesn't change apt's own lists, and
# needs Debian's apt and this machine's mirror.
set -euo pipefail

suite=${1:?name a suite, such as sid} folder=$(mkdir -p "${2:?name a folder}" && cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache/archives/partial,packages}

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -1)
if [[ -z $mirror ]]; then
  echo 'No Debian mirror is known here: run apt-get update first.' >&2
  exit 1
fi
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$work/sources.list"
apt=(
  -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root
)
apt-get "${apt[@]}" update

# The package links to libraries for PHP and the browser; its other dependencies aren't needed.
depends=$(apt-cache "${apt[@]}" depends --important wordpress | sed -n 's/^ *|\?Depends: //p')
libraries=$(grep -E '^(lib(js|php)|php-getid3|node-)' <<<"$depends" || true)
# node-lodash and node-underscore contain what libjs-lodash and libjs-underscore link to.
for library in $libraries; do
  libraries+=" $(apt-cache "${apt[@]}" depends --important "$library" | sed -n 's/^ *Depends: \(\(node\|libjs\)-[^ ]*\)$/\1/p' | tr '\n' ' ')"
done
(cd "$work/packages" && apt-get "${apt[@]}" download wordpress $(printf '%s\n' $libraries | sort -u))
for package in "$work"/packages/*.deb; do dpkg-deb --extract "$package" "$folder"; done

# Links into the file system become links into the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
  target=$(readlink "$link")
  if [[ -e $folder$target ]]; then ln -sfn "$folder$target" "$link"; fi
done
missing=$(find "$folder/usr/share/wordpress" -xtype l -printf '%P -> %l\n')
if [[ -n $missing ]]; then
  printf 'The WordPress of %s links to what no package here has:\n%s\n' "$suite" "$missing" >&2
fi
echo "$folder/usr/share/wordpress"
