# Sourced by ./run and ./test from the root of the project: the virtual environment, made or renewed when needed.
# shellcheck shell=sh

python=.venv/bin/python

say() { printf '%s\n' "$*" >&2; }

# environment FILE: .venv holds what FILE (and what it names with -r) asks for.
environment() {
    sum=$(cat requirements.txt "$1" | cksum | cut -d ' ' -f 1)
    name=$(basename "$1" .txt)
    stamp=.venv/.installed-$sum-$name
    if [ -e "$stamp" ] && [ -x "$python" ]; then
        return 0
    fi
    base=${PYTHON:-python3}
    if ! command -v "$base" >/dev/null 2>&1; then
        say "Python 3.11 or newer is needed (Debian, Ubuntu: apt install python3 python3-venv)."
        exit 1
    fi
    if ! "$base" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        say "Python 3.11 or newer is needed; $base is $("$base" --version 2>&1). Set PYTHON to a newer one."
        exit 1
    fi
    if ! "$python" -c 'import pip' >/dev/null 2>&1; then
        say "Making the virtual environment .venv ..."
        if ! "$base" -m venv --clear .venv; then
            say "Python cannot make virtual environments here (Debian, Ubuntu: apt install python3-venv)."
            exit 1
        fi
    fi
    say "Installing $1 ..."
    if ! "$python" -m pip install --quiet --disable-pip-version-check --requirement "$1"; then
        say "The installation failed; the message above says why. Run the same command again to retry."
        exit 1
    fi
    rm -f .venv/.installed-*-"$name"
    : > "$stamp"
}

# extra FILE: what FILE asks for, if it can be installed; whoever asks says in one line when it cannot.
extra() {
    name=$(basename "$1" .txt)
    stamp=.venv/.installed-$(cat "$1" | cksum | cut -d ' ' -f 1)-$name
    if [ -e "$stamp" ]; then
        return 0
    fi
    say "Installing $1 ..."
    "$python" -m pip install --quiet --disable-pip-version-check --retries 1 --only-binary :all: --requirement "$1" \
        >/dev/null 2>&1 || return 1
    rm -f .venv/.installed-*-"$name"
    : > "$stamp"
}
