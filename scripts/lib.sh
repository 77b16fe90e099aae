# Shared by the scripts in this folder; to be sourced. Each script runs with `set -euo pipefail`.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

is_macos() { [ "$(uname -s)" = Darwin ]; }

# The system packages (Debian's and Ubuntu's names) for building, for running and for testing.
build_packages=(libncurses-dev libcurl4-openssl-dev libc6-dev libstdc++-12-dev zlib1g-dev binutils git ca-certificates)
run_packages=(libncursesw6 ncurses-base libcurl4 libsqlite3-0 zlib1g)
# Libraries that show pictures: Ombi does without where they are missing, and says so.
picture_packages=(libpng16-16 "$(. /etc/os-release 2>/dev/null && [ "${ID:-}" = ubuntu ] && printf libturbojpeg || printf libturbojpeg0)")
# The library that reads YAML, which only an import needs.
yaml_packages=(libyaml-0-2)
# Judges and peers of the tests: cookies and Digest (curl, libpsl, lighttpd), OAuth (Authlib), proxies, WebSockets,
# a keyring, TLS in front of the demo (socat), manual pages (mandoc), reports (xmllint), exported code (HTTPie, and
# the requests of Python that it brings; Node.js), pages of reports (Chromium, which Ubuntu and its derivatives have as
# a snap only), completion (zsh, fish).
peer_packages=(curl libpsl5 lighttpd python3-authlib python3-flask python3-venv python3-websockets tinyproxy-bin
    microsocks gnome-keyring libsecret-tools dbus socat mandoc libxml2-utils
    httpie nodejs zsh fish)
case $(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-}" "${ID_LIKE:-}") in
*ubuntu*) ;;
*) peer_packages+=(chromium) ;;
esac
test_packages=(tmux nginx-light "${picture_packages[@]}" "${yaml_packages[@]}" "${peer_packages[@]}")

# Tests that all begin at once starve each other on few processors, and the limits that they are about run out.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-24}

# A package counts as there when dpkg says so, or when another package gives what it is for (a newer libstdc++,
# Ubuntu's libcurl4t64, a toolchain image with its own headers).
has_package() {
    case $1 in
    libncurses-dev) [ -e /usr/include/curses.h ] && [ -e /usr/include/term.h ] && has_library libncursesw.so && return ;;
    libcurl4-openssl-dev) compgen -G '/usr/include/curl/curl.h' >/dev/null && return
        compgen -G '/usr/include/*/curl/curl.h' >/dev/null && return ;;
    libc6-dev) [ -e /usr/include/stdio.h ] && return ;;
    libstdc++-12-dev) compgen -G '/usr/lib/gcc/*/*/libstdc++.so' >/dev/null && return ;;
    zlib1g-dev) [ -e /usr/include/zlib.h ] && return ;;
    libncursesw6) has_library libncursesw.so.6 && return ;;
    ncurses-base) { [ -e /lib/terminfo/x/xterm ] || [ -e /usr/share/terminfo/x/xterm ]; } && return ;;
    libpng16-16) has_library libpng16.so.16 && return ;;
    libturbojpeg | libturbojpeg0) has_library libturbojpeg.so.0 && return ;;
    libyaml-0-2) has_library libyaml-0.so.2 && return ;;
    libsqlite3-0) has_library libsqlite3.so.0 && return ;;
    zlib1g) has_library libz.so.1 && return ;;
    libpsl5) has_library libpsl.so.5 && return ;;
    libcurl4) has_library libcurl.so.4 && return ;;
    binutils) command -v ld >/dev/null && return ;;
    ca-certificates) [ -e /etc/ssl/certs/ca-certificates.crt ] && return ;;
    nginx-light) { [ -x /usr/sbin/nginx ] || command -v nginx >/dev/null; } && return ;;
    tinyproxy-bin) command -v tinyproxy >/dev/null && return ;;
    libxml2-utils) command -v xmllint >/dev/null && return ;;
    nodejs) command -v node >/dev/null && return ;;
    chromium) { command -v chromium || command -v google-chrome; } >/dev/null && return ;;
    lighttpd) { [ -x /usr/sbin/lighttpd ] || command -v lighttpd >/dev/null; } && return ;;
    git | tmux | curl | wrk | microsocks | mandoc | zsh | fish) command -v "$1" >/dev/null && return ;;
    esac
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

has_library() {
    local folder
    for folder in /lib /usr/lib /usr/local/lib /lib/*-linux-gnu /usr/lib/*-linux-gnu; do
        [ -e "$folder/$1" ] && return
    done
    return 1
}

# need_packages NAME…: installs those that are missing, after a line that says which; nothing else is touched.
need_packages() {
    local name missing=()
    if is_macos; then
        need_brew
        return
    fi
    command -v dpkg-query >/dev/null || {
        say "This is neither Debian nor Ubuntu nor macOS: make sure that there is what these are there: $*"
        return
    }
    for name in "$@"; do has_package "$name" || missing+=("$name"); done
    [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

install_packages() {
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            sudo=(sudo -n)
        else
            fail "These packages are missing, and only root can install them. Run this, then try again:
    sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
        fi
    fi
    say "Installing missing packages: $*"
    local quiet=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
    logged "${sudo[@]}" "${quiet[@]}" update </dev/null
    local name known=()
    for name in "$@"; do
        # Not every processor has it. The tests that show pages are skipped then.
        if [ "$name" = chromium ] && ! LC_ALL=C apt-cache policy chromium | grep 'Candidate: [^(]' >/dev/null; then
            say "Without chromium: there is no such package here"
        else
            known+=("$name")
        fi
    done
    [ ${#known[@]} -eq 0 ] ||
        logged "${sudo[@]}" "${quiet[@]}" install -y --no-install-recommends "${known[@]}" </dev/null
}

# macOS brings ncurses and libcurl; only tmux, for the tests, may be missing. Written, never tried.
need_brew() {
    command -v tmux >/dev/null && return
    command -v brew >/dev/null || fail "tmux is missing; get Homebrew from https://brew.sh, then: brew install tmux"
    say "Installing missing packages: tmux"
    logged brew install tmux
}

# Installs what scripts/peers.txt lists for the tests alone, in .build/peers. Where Python cannot fetch it, the tests
# that need it say so and are skipped.
need_peers() {
    local peers=.build/peers
    cmp -s scripts/peers.txt "$peers/installed.txt" && return
    say "Installing the judges of the tests that scripts/peers.txt lists …"
    rm -rf "$peers"
    if python3 -m venv "$peers" &&
        "$peers/bin/pip" --quiet --no-input --retries 2 --timeout 30 install -r scripts/peers.txt; then
        cp scripts/peers.txt "$peers/installed.txt"
    else
        rm -rf "$peers"
        say "Without them: Python could not install them."
    fi
} >&2

need_swift() {
    local place
    if ! command -v swift >/dev/null; then
        for place in /opt/swift/usr/bin /usr/share/swift/usr/bin "$HOME/.local/share/swiftly/bin" "$HOME/.swiftly/bin"; do
            [ -x "$place/swift" ] && PATH=$place:$PATH && export PATH && return
        done
        fail "Ombi is built with Swift 6.1 or later, and there is none on the PATH.
Get it from https://www.swift.org/install (on Linux: swiftly), then try again."
    fi
}

# logged COMMAND…: quiet while all goes well; the whole log where it does not.
logged() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        cat "$log" >&2
        rm -f "$log"
        fail "failed (exit $status): $*"
    fi
    rm -f "$log"
}

# progress COMMAND…: as `logged`, with a line that says how long it has taken and what it does: on a terminal that line
# changes each second, elsewhere there is another one each half minute.
progress() {
    local log status=0 ticker
    log=$(mktemp)
    tick "$log" &
    ticker=$!
    "$@" >"$log" 2>&1 || status=$?
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
    if [ "$status" -ne 0 ]; then
        cat "$log" >&2
        rm -f "$log"
        fail "failed (exit $status): $*"
    fi
    rm -f "$log"
}

# tick LOG: says once and again what the last line of a log is, until it is killed or this script has ended.
tick() {
    local seconds=0 line
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        seconds=$((seconds + 1))
        line=$(tail -n 1 "$1" | cut -c 1-60)
        if [ -t 2 ]; then
            printf '\r\033[K  %s s  %s' "$seconds" "$line" >&2
        elif [ $((seconds % 30)) -eq 0 ]; then
            say "  $seconds s  $line"
        fi
    done
}

# link_options: how a release is linked on Linux, for a quick start: Swift's own libraries and those of C++ and ncurses
# inside, at fixed addresses, without symbols, none of them offered to other libraries: what nothing reaches is left out
# (2 MB). With C++ inside and fixed addresses alone, a start of 6 ms took 2 ms less.
link_options() {
    local archive library folder=.build/link
    # Nothing lies beside the program for the loader to look for.
    printf '%s\n' --disable-local-rpath --static-swift-stdlib -Xlinker --no-export-dynamic
    if [ -n "${keep_symbols:-}" ]; then
        printf '%s\n' -Xlinker "-Map=$PWD/$folder/map.txt"
    else
        printf '%s\n' -Xlinker -s
    fi
    # The list is empty but for packages. Functions that a change has renamed lie where the linker puts them.
    mkdir -p "$folder" && touch "$folder/order.txt"
    printf '%s\n' -Xlinker "--symbol-ordering-file=$PWD/$folder/order.txt" -Xlinker --no-warn-symbol-ordering
    printf '%s\n' -Xswiftc -Xclang-linker -Xswiftc -no-pie -Xswiftc -Xfrontend -Xswiftc -function-sections
    for library in stdc++ ncursesw tinfo; do
        archive=$(clang -print-file-name="lib$library.a" 2>/dev/null || true)
        # A bare name means that there is none.
        case $archive in /*) ;; *) continue ;; esac
        # The linker takes the shared library of a folder before its archive, so the archives get a folder of their own.
        mkdir -p "$folder" && ln -sf "$archive" "$folder/lib$library.a"
        # Nothing names the half of ncurses that reads the descriptions of terminals.
        if [ "$library" = tinfo ]; then printf '%s\n' -Xlinker -ltinfo; fi
    done
    printf '%s\n' -Xswiftc -use-ld=lld -Xswiftc "-L$PWD/$folder" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
}

# build_release: both programs in .build/release; with their symbols if keep_symbols is set.
build_release() {
    need_packages "${build_packages[@]}"
    need_swift
    # Without Foundation, which its schedulers would link: a start costs 1 ms more with it.
    local options=(-c release --traits "Program,Pictures") option
    is_macos || while read -r option; do options+=("$option"); done < <(link_options)
    say "Building Ombi …"
    build_programs "${options[@]}"
}

# order_functions: finds the functions of a start in a release with symbols, for the next build to lay them side by side:
# it touches few pages then. Otherwise they lie between 30 MB of others.
order_functions() {
    local folder=.build/link
    need_packages valgrind python3
    strip -g -o "$folder/ombi" .build/release/ombi
    say "Finding the functions of a start …"
    python3 bench/link_order.py "$folder/ombi" "$folder/map.txt" collections/demo.json >"$folder/order.txt"
    # Only what is missing is linked again: a change of the list is none of the options.
    rm .build/release/ombi
}

# build_debug: both programs in .build/debug, as `swift build` and the tests have them.
build_debug() {
    need_packages "${build_packages[@]}"
    need_swift
    say "Building Ombi without optimization …"
    build_programs
}

# build_programs OPTIONS…: what they depend on, and nothing else of the package.
build_programs() {
    local product
    # The linker's map is of the last one.
    for product in ombi-demo-server ombi; do progress swift build "$@" --product "$product"; done
}

# The pages of the manual that F1 opens.
manual_pages=(tour tasks collections trust bodies variables environments inheritance authentication connection
    expectations running headless history streams pages files curl import configuration keys format building library)

# install_tree PREFIX [PROGRAMS]: everything that is installed, from the programs in a folder and the files of this one:
# programs, data, manual pages and completions.
install_tree() {
    local prefix=$1 programs=${2:-.build/release} file page completion shell
    local share=$prefix/share/ombi
    mkdir -p "$prefix/bin" "$share/collections/certificates" "$share/schema" "$share/docs"
    install -m 755 "$programs/ombi" "$programs/ombi-demo-server" "$prefix/bin/"
    for file in demo.json stranger.json ombi.schema.json; do
        install -m 644 "collections/$file" "$share/collections/"
    done
    install -m 644 collections/certificates/*.pem "$share/collections/certificates/"
    install -m 644 README.md "$share/"
    for page in "${manual_pages[@]}"; do install -m 644 "docs/$page.md" "$share/docs/"; done
    install -m 644 schema/*.json "$share/schema/"
    # After the schema of collections, from which one of the pages is made.
    "$prefix/bin/ombi" manuals "$prefix/share/man"
    for completion in bash-completion/completions/ombi zsh/site-functions/_ombi fish/vendor_completions.d/ombi.fish; do
        mkdir -p "$prefix/share/${completion%/*}"
        shell=${completion%%[-/]*}
        "$prefix/bin/ombi" completions "$shell" >"$prefix/share/$completion"
    done
}
