# A bare Debian below the scratch folder of scripts/package-check, and what is tried in it; to be sourced by that.
# shellcheck shell=bash disable=SC2154,SC2016

# What the packages of others and the user leave: logs, caches, databases of apt and dpkg, homes.
root_exceptions='^/(var/(cache|log|lib/(apt|dpkg|systemd))|home|root|tmp|run|proc|sys|dev)(/|$)'

# root_is_impossible: prints the reason, or fails.
root_is_impossible() {
    if [ "$(id -u)" -ne 0 ]; then
        echo "only root can make one; --skip-root leaves it out"
    elif [ -z "$base" ] && ! command -v debootstrap >/dev/null; then
        echo "debootstrap is not installed: apt-get install debootstrap"
    elif ! unshare --mount --pid --fork true 2>/dev/null; then
        echo "this machine allows no namespaces"
    else
        return 1
    fi
}

# make_root: a Debian of the version of this machine, from its own mirror, with man and without anything else.
make_root() {
    local mirror suite
    if [ -n "$base" ]; then
        cp -a "$base" "$scratch/bare"
    else
        suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
        mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
            awk -v suite="$suite" '$1 == suite && $2 == "main" && !n++ { print $3 }')
        [ -n "$mirror" ] || { echo "apt has no mirror of $suite"; return 1; }
        debootstrap --variant=minbase "$suite" "$scratch/bare" "$mirror"
    fi
    inside apt-get update
    inside apt-get install -y --no-install-recommends man-db
    inside useradd --create-home tester
}

# inside COMMAND…: runs it in the root, with mounts and processes that end with it.
inside() {
    unshare --mount --pid --fork --kill-child bash -c '
        cd "$1" && shift
        mount -t proc proc proc
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
        mount --bind dev/pts/ptmx dev/ptmx
        exec chroot . /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin HOME=/root TERM=xterm \
            LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' inside "$scratch/bare" "$@"
}

# as_user SCRIPT ARGUMENTS…: the same as an ordinary user, in its home.
as_user() { inside runuser -u tester -- env HOME=/home/tester bash -euc "cd; $1" user "${@:2}"; }

# listing FILE: every file of the root, but those that anyone may leave.
listing() { (cd "$scratch/bare" && find . | cut -c2- | grep -vE "$root_exceptions" | sort) >"$1"; }

packages_in_root() { inside dpkg-query -W -f '${Package}\n' | sort; }

has_no_compiler() {
    local name
    for name in cc gcc clang ld as swift; do if inside bash -c "command -v $name"; then return 1; fi; done
}

install_deb() {
    cp "$deb" "$scratch/bare/tmp/ombi.deb"
    listing "$scratch/before"
    packages_in_root >"$scratch/packages"
    inside apt-get install -y --no-install-recommends /tmp/ombi.deb
}

says_version() { [ "$(as_user '"$1" --version' "$1")" = "$(package_version)" ]; }

# shows_demo PROGRAM: the demo collection, sent headless to the demo server.
shows_demo() {
    as_user '"$1" demo </dev/null >demo.txt || { tail -n 20 demo.txt; exit 1; }
        grep -q "200" demo.txt' "$1"
}

# opens_explorer PROGRAM: a pseudo-terminal, in which the explorer draws itself, shows its help and quits at a key.
opens_explorer() {
    as_user '
        mkdir -p empty && cd empty
        { for key in "" "" "?" $'\''\e'\'' q q; do printf %s "$key"; sleep 1; done; } |
            timeout 30 script -qec "stty rows 30 cols 100; exec $1" screen.txt >/dev/null || echo "exit $?" >>screen.txt
        grep -qi "help" screen.txt && ! grep -q "^exit " screen.txt || { cat -v screen.txt; exit 1; }' "$1"
}

shows_manuals() {
    as_user 'for page in ombi ombi-run ombi-collection ombi-keys ombi-demo-server; do
        man -P cat "$page" | grep -qi ombi || { echo "no page $page"; exit 1; }; done'
}

has_completions() {
    inside bash -euc 'bash -n /usr/share/bash-completion/completions/ombi
        . /usr/share/bash-completion/completions/ombi && complete -p ombi
        test -s /usr/share/zsh/vendor-completions/_ombi && test -s /usr/share/fish/vendor_completions.d/ombi.fish'
}

# purge: the package goes, and the libraries that came with it, which autoremove keeps where others suggest them.
purge() {
    local packages
    mapfile -t packages < <(packages_in_root | comm -13 "$scratch/packages" -)
    inside apt-get purge -y "${packages[@]}"
    listing "$scratch/after"
    diff "$scratch/before" "$scratch/after"
}

# unpack_tarball: as an ordinary user. The libraries that it loads are gone with the .deb.
unpack_tarball() {
    cp "$tarball" "$scratch/bare/tmp/ombi.tar.gz"
    as_user 'tar -xzf /tmp/ombi.tar.gz && mv "$1" ombi
        ombi/bin/ombi doctor >without.txt 2>&1 || true
        grep -q "libcurl could not be loaded; install it" without.txt || { cat without.txt; exit 1; }' "$name"
}

check_root() {
    check "debootstrap makes a bare Debian" make_root
    check "it has no compiler" has_no_compiler
    check "apt-get installs the .deb" install_deb
    check "ombi says its version" says_version ombi
    check "ombi demo runs headless" shows_demo ombi
    check "the explorer opens in a terminal, shows its help and quits" opens_explorer ombi
    check "man has its pages" shows_manuals
    check "completions are in place" has_completions
    check "purge leaves nothing" purge
    check "the tarball unpacks, and says that it needs libcurl" unpack_tarball
    check "apt-get installs libcurl and the others" \
        inside apt-get install -y --no-install-recommends "${run_packages[@]}"
    check "the demo of the tarball runs" shows_demo ombi/bin/ombi
    check "it moves to another folder" as_user 'mkdir -p "a b" && mv ombi "a b/moved"'
    check "it says its version there" says_version "a b/moved/bin/ombi"
    check "its demo runs there" shows_demo "a b/moved/bin/ombi"
    check "its explorer opens there" opens_explorer "'/home/tester/a b/moved/bin/ombi'"
}
