#!/usr/bin/env bash
# Builds importer-python:local, an image made of this machine's own python3 and its standard library,
# for `harness grade --isolate --image importer-python:local` on machines that reach no image registry.
# Elsewhere --image python:3.13-slim is all that is needed. Installs nothing on this machine.
#
#   harness/python-image/build.sh            build it unless it is already there
#   FORCE=1 harness/python-image/build.sh    build it again
#   PYTHON=/usr/bin/python3 ...              of another Python than the first on PATH
set -euo pipefail

readonly image=importer-python:local

say() { printf 'python-image: %s\n' "$*"; }
fail() {
	printf 'python-image: %s\n' "$*" >&2
	exit 1
}

command -v docker >/dev/null || fail "docker is not installed (Debian's package is docker.io)"
docker version --format '{{.Server.Version}}' >/dev/null 2>&1 ||
	fail "no Docker engine answers; start it, or point DOCKER_HOST at one"
if [[ -z ${FORCE:-} ]] && docker image inspect "$image" >/dev/null 2>&1; then
	say "$image is already here; FORCE=1 builds it again"
	exit 0
fi
for tool in ldd tar; do
	command -v "$tool" >/dev/null || fail "$tool is not here, and is needed to find and pack Python's files"
done
python=$(command -v "${PYTHON:-python3}") || fail "${PYTHON:-python3} is not here; PYTHON names another"
# What is called may be a shim; what it says of itself is the program, without any virtual environment.
program=$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))')
library=$("$program" -S -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
version=$("$program" -S -c 'import platform; print(platform.python_version())')
[[ -d $library ]] || fail "its standard library is not at $library"

work=$(mktemp -d "${TMPDIR:-/tmp}/importer-python-image.XXXXXX")
# shellcheck disable=SC2064 # the path is meant to be fixed now, while $work is known
trap "rm -rf '$work'" EXIT

say "packing Python $version of $program"
mkdir -p "$work$(dirname "$program")" "$work$library" "$work/tmp" "$work/etc"
cp "$program" "$work$program"
[[ -e $work$(dirname "$program")/python3 ]] || ln -s "$(basename "$program")" "$work$(dirname "$program")/python3"
# Left out is what no submission needs: other people's packages, tests, windows.
tar -C "$library" --exclude=./site-packages --exclude=./dist-packages --exclude=./test --exclude=./lib2to3/tests --exclude=./idlelib --exclude=./tkinter \
	--exclude=./turtledemo --exclude=./ensurepip --exclude='./config-*' --exclude='*.a' -c . | tar -C "$work$library" -x
# Nothing can be written there later, so what is compiled is compiled now, with paths of the image in it.
"$program" -S -m compileall -q -s "$work" "$work$library" >/dev/null 2>&1 || true
# Each library to the place where the loader looks for it. Modules whose libraries are missing on this
# machine do not work here either.
find "$work$library" -name '*.so' -print0 | xargs -0 ldd "$program" 2>/dev/null | grep -o '/[^ ]*\.so[^ :]*' | sort -u |
	while read -r file; do
		[[ $file != "$work"* && -e $file ]] || continue
		mkdir -p "$work$(dirname "$file")"
		cp -L "$file" "$work$file"
	done
printf 'nobody:x:65534:65534:nobody:/tmp:/none\n' >"$work/etc/passwd"
chmod -R a+rX "$work"
chmod 1777 "$work/tmp"

old=$(docker image inspect --format '{{.Id}}' "$image" 2>/dev/null || true)
tar --owner=0 --group=0 --numeric-owner -C "$work" -c . |
	docker import --change "ENV PATH=$(dirname "$program")" --message "Python $version of this machine" - "$image" >/dev/null
[[ -z $old ]] || docker image rm "$old" >/dev/null 2>&1 || true # stays if a container uses it

docker run --rm --network none --read-only --user 65534:65534 "$image" python3 -c 'import json, socket, ssl, sqlite3, http.server' 2>/dev/null ||
	docker run --rm --network none --read-only --user 65534:65534 "$image" python3 -c 'import json, socket, http.server, threading' ||
	fail "what was built does not run"
say "built $image, Python $version, $(docker image inspect --format '{{.Size}}' "$image" | awk '{printf "%.0f MB", $1 / 1000000}')"
