#!/usr/bin/env bash
# Publishes an edition to a server that runs nginx or Caddy: rsync.sh <edition folder> <user@host>
#
# It lies at /srv/reviews/releases/<digest>; /srv/reviews/current leads to the newest one, and
# /srv/reviews/front holds what nginx includes. The last three stay. RSYNC_KEY and
# RSYNC_KNOWN_HOSTS hold a key and the server's, where ssh is not set up otherwise.
set -euo pipefail
edition=$1
target=$2
base=${RSYNC_BASE:-/srv/reviews}
release=$(sha256sum "$edition/edition.json" | cut -c1-16)
front=$(mktemp -d)
trap 'rm -rf "$front"' EXIT

ssh=(ssh -o BatchMode=yes)
if [ -n "${RSYNC_KEY:-}" ]; then
  install -m 600 /dev/null "$front/key"
  printf '%s\n' "$RSYNC_KEY" >"$front/key"
  printf '%s\n' "${RSYNC_KNOWN_HOSTS:?}" >"$front/known_hosts"
  ssh+=(-i "$front/key" -o "UserKnownHostsFile=$front/known_hosts" -o StrictHostKeyChecking=yes)
fi

npm run --silent proxy-config -- "$edition" "$front/conf" "$base/releases/$release"
"${ssh[@]}" "$target" "mkdir -p '$base/releases/$release' '$base/front'"
# edition.json last: a sidecar that follows the folder takes an edition only when it is whole.
rsync -a --delete --exclude /edition.json --exclude /edition-signature.json -e "${ssh[*]}" "$edition/" "$target:$base/releases/$release/"
if [ -e "$edition/edition-signature.json" ]; then
  rsync -a --checksum -e "${ssh[*]}" "$edition/edition-signature.json" "$target:$base/releases/$release/"
fi
rsync -a -e "${ssh[*]}" "$edition/edition.json" "$target:$base/releases/$release/"
# By their bytes: the files of two releases may have one size and one second.
rsync -a --checksum -e "${ssh[*]}" "$front/conf/" "$target:$base/front/"
"${ssh[@]}" "$target" "set -e
  ln -sfn 'releases/$release' '$base/current.next'
  mv -T '$base/current.next' '$base/current'
  touch '$base/releases/$release'
  if command -v nginx >/dev/null; then
    sudo -n nginx -t -q
    sudo -n nginx -s reload
  fi
  cd '$base/releases' && ls -1t | tail -n +4 | xargs -r rm -rf --"
