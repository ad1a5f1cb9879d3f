#!/usr/bin/env bash
# Builds importer-redis:local, a Redis image made of Debian's redis-server package and nothing else,
# for machines that reach Debian's packages but no image registry. Installs nothing on this machine.
#
#   harness/redis-image/build.sh            build it unless it is already there
#   FORCE=1 harness/redis-image/build.sh    build it again
set -euo pipefail

readonly image=importer-redis:local
readonly binaries=(redis-server redis-cli redis-check-aof redis-check-rdb redis-benchmark)

say() { printf 'redis-image: %s\n' "$*"; }
fail() {
	printf 'redis-image: %s\n' "$*" >&2
	exit 1
}

# "No such image" and "no engine" look the same to `docker image inspect`. Asking for the engine
# first lets the message name the real trouble.
require_docker() {
	command -v docker >/dev/null || fail "docker is not installed (Debian's package is docker.io)"
	docker version --format '{{.Server.Version}}' >/dev/null 2>&1 ||
		fail "no Docker engine answers; start it, or point DOCKER_HOST at one"
}

require_debian() {
	local tool
	for tool in apt-get apt-cache dpkg dpkg-query ldd; do
		command -v "$tool" >/dev/null ||
			fail "$tool is not here, and this image is made of Debian packages; elsewhere use the image redis:8.4"
	done
}

# packages prints what to download: Redis, and those libraries it needs that this machine lacks.
packages() {
	local package
	printf '%s\n' redis-server redis-tools
	apt-cache depends --no-recommends --no-suggests redis-tools 2>/dev/null |
		sed -n 's/^ *Depends: \(lib[^ ]*\)$/\1/p' |
		while read -r package; do
			dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
		done
}

# As root, apt warns that its own user cannot write here. That is true and harmless, so its output
# is shown only when the download fails.
download() {
	local wanted
	mapfile -t wanted < <(packages)
	apt-get download "${wanted[@]}" >download.log 2>&1
}

# copy_binaries brings each binary and every library that ldd finds for it, each to the place where
# Debian's loader looks for it.
copy_binaries() {
	local from=$1 to=$2 binary libraries
	mkdir -p "$to/usr/bin"
	LD_LIBRARY_PATH=$(find "$from" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd:)
	for binary in "${binaries[@]}"; do
		cp -P "$from/usr/bin/$binary" "$to/usr/bin/"
		libraries=$(LD_LIBRARY_PATH=$LD_LIBRARY_PATH ldd "$from/usr/bin/$binary")
		grep 'not found' <<<"$libraries" >&2 && fail "$binary lacks the libraries above; install them and try again"
		grep -o '/[^ ]*' <<<"$libraries" | sort -u | while read -r library; do
			mkdir -p "$to$(dirname "${library#"$from"}")"
			cp -L "$library" "$to${library#"$from"}"
		done
	done
}

# build uses `docker import`, which is FROM scratch plus one layer, and works with any engine:
# `docker build` needs a builder plug-in on some machines and warns about its absence on others.
build() {
	local work
	work=$(mktemp -d "${TMPDIR:-/tmp}/importer-redis-image.XXXXXX")
	# shellcheck disable=SC2064 # the path is meant to be fixed now, while $work is known
	trap "rm -rf '$work'" EXIT
	cd "$work"

	say "downloading Debian's redis-server"
	if ! download; then
		say "updating the package lists first"
		apt-get update -qq || fail "apt-get update failed, so redis-server cannot be downloaded"
		download || fail "apt-get download failed: $(tail -n 1 download.log)"
	fi

	mkdir packages root
	local package
	for package in ./*.deb; do dpkg -x "$package" packages; done
	copy_binaries "$work/packages" "$work/root"

	# redis-server is root in there, as nothing else exists; /data is where it writes its log of
	# changes, /tmp is for tools.
	mkdir -p root/data root/tmp
	chmod 1777 root/tmp
	local old
	old=$(docker image inspect --format '{{.Id}}' "$image" 2>/dev/null || true)
	tar --owner=0 --group=0 --numeric-owner -C root -c . |
		docker import \
			--change 'ENV PATH=/usr/bin' \
			--change 'WORKDIR /data' \
			--change 'EXPOSE 6379/tcp' \
			--change 'CMD ["redis-server", "--protected-mode", "no"]' \
			--message "Redis from Debian's redis-server package" \
			- "$image" >/dev/null
	[[ -z $old ]] || docker image rm "$old" >/dev/null 2>&1 || true # stays if a container uses it
}

hints() {
	cat <<HINTS
Use it with:
  export HARNESS_REDIS_IMAGE=$image
On a machine without an image registry, testcontainers cannot fetch its reaper either:
  export TESTCONTAINERS_RYUK_DISABLED=true
HINTS
	if [[ -e /.dockerenv ]]; then
		cat <<'HINTS'
This shell runs in a container. If the Docker engine runs in it as well:
  export TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
HINTS
	fi
}

require_docker
if [[ -z ${FORCE:-} ]] && docker image inspect "$image" >/dev/null 2>&1; then
	say "$image is already here; FORCE=1 builds it again"
else
	require_debian
	build
	say "built $image, $(docker run --rm --network none "$image" redis-server --version | cut -d' ' -f1-3)," \
		"$(docker image inspect --format '{{.Size}}' "$image" | awk '{printf "%.0f MB", $1 / 1000000}')"
fi
hints
