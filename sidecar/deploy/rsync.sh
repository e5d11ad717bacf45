#!/usr/bin/env bash
# Publishes an edition to a server whose sidecars follow it: rsync.sh <edition folder> <user@host>
#
# It lies at /srv/reviews/releases/<digest>; /srv/reviews/current leads to the newest one. The last
# three stay. RSYNC_BASE names another folder than /srv/reviews. RSYNC_KEY and RSYNC_KNOWN_HOSTS hold a
# key and the server's, where ssh is not set up otherwise.
set -euo pipefail
edition=$1
target=$2
base=${RSYNC_BASE:-/srv/reviews}
if [ -z "${RSYNC_LOCALHOST:-}" ] && grep -Eq '"base_url":"https?://localhost[:/"]' "$edition/edition.json"; then
  echo "$edition: its links lead to localhost: build it with SITE_URL=https://…, or set RSYNC_LOCALHOST=1" >&2
  exit 1
fi
release=$(sha256sum "$edition/edition.json" | cut -c1-16)
keys=$(mktemp -d)
trap 'rm -rf "$keys"' EXIT

ssh=(ssh -o BatchMode=yes)
if [ -n "${RSYNC_KEY:-}" ]; then
  install -m 600 /dev/null "$keys/key"
  printf '%s\n' "$RSYNC_KEY" >"$keys/key"
  printf '%s\n' "${RSYNC_KNOWN_HOSTS:?}" >"$keys/known_hosts"
  ssh+=(-i "$keys/key" -o "UserKnownHostsFile=$keys/known_hosts" -o StrictHostKeyChecking=yes)
fi

"${ssh[@]}" "$target" "umask 022; mkdir -p '$base/releases/$release'"
# The server's processes read it, whatever umask it was built under.
# edition.json last: a sidecar that follows the folder takes an edition only when it is complete.
rsync -a --chmod=D755,F644 --delete --exclude /edition.json --exclude /edition-signature.json -e "${ssh[*]}" "$edition/" "$target:$base/releases/$release/"
if [ -e "$edition/edition-signature.json" ]; then
  rsync -a --chmod=F644 --checksum -e "${ssh[*]}" "$edition/edition-signature.json" "$target:$base/releases/$release/"
fi
rsync -a --chmod=F644 -e "${ssh[*]}" "$edition/edition.json" "$target:$base/releases/$release/"
"${ssh[@]}" "$target" "set -e
  ln -sfn 'releases/$release' '$base/current.next'
  mv -T '$base/current.next' '$base/current'
  touch '$base/releases/$release'
  cd '$base/releases' && ls -1t | tail -n +4 | xargs -r rm -rf --"
