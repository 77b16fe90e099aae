# How packages are made from programs and the files of this folder; to be sourced after lib.sh.
# shellcheck shell=bash disable=SC2154

# The one home of the version, which `ombi --version` prints.
package_version() { sed -n 's/.*static let version = "\(.*\)".*/\1/p' Sources/OmbiTUI/Reports/Program.swift; }

# The machine as dpkg and as the kernel calls it.
debian_machine() {
    command -v dpkg >/dev/null && dpkg --print-architecture && return
    case $(uname -m) in x86_64) echo amd64 ;; aarch64) echo arm64 ;; *) uname -m ;; esac
}

tarball_name() { echo "ombi-$(package_version)-linux-$(uname -m)"; }
deb_name() { echo "ombi_$(package_version)_$(debian_machine).deb"; }

# set_epoch: every date in a package is that of the commit.
set_epoch() {
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || true)}
    [ -n "$SOURCE_DATE_EPOCH" ] || fail "This folder has no git history to take dates from: set SOURCE_DATE_EPOCH"
    export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
}

# Lintian wants an address that can be one; the commit has the one of whoever packs.
package_maintainer() { echo "${OMBI_MAINTAINER:-$(git log -1 --format='%an <%ae>' 2>/dev/null || true)}"; }

# needed_libraries PROGRAM…: what the loader has to find, by soname.
needed_libraries() { objdump -p "$@" | awk '$1 == "NEEDED" { print $2 }' | sort -u; }

# oldest_glibc PROGRAM…: the newest version that any symbol asks for.
oldest_glibc() { objdump -T "$@" | grep -o 'GLIBC_[0-9.]*' | cut -d_ -f2 | sort -Vu | tail -n 1; }

# with_alternatives PACKAGE: the same library as other versions of Debian and Ubuntu call it.
with_alternatives() {
    case $1 in
    libcurl4) echo "libcurl4 | libcurl4t64" ;;
    libpng16-16) echo "libpng16-16 | libpng16-16t64" ;;
    libturbojpeg*) echo "libturbojpeg0 | libturbojpeg" ;;
    libpsl5) echo "libpsl5 | libpsl5t64" ;;
    *) echo "$1" ;;
    esac
}

# is_glibc LIBRARY: libc6 has it.
is_glibc() {
    case $1 in
    libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | libutil.so.* | libresolv.so.* | ld-linux*) ;;
    *) return 1 ;;
    esac
}

# package_of LIBRARY: the package that has it on every Debian and Ubuntu.
package_of() {
    ! is_glibc "$1" || return 0
    case $1 in
    # Of the demo server, whose Foundation links it.
    libcurl.so.4) echo libcurl4 ;;
    libncursesw.so.6) echo libncursesw6 ;;
    libtinfo.so.6) echo libtinfo6 ;;
    libz.so.1) echo zlib1g ;;
    libgcc_s.so.1) echo libgcc-s1 ;;
    libstdc++.so.6) echo libstdc++6 ;;
    *) fail "The programs need $1, which no package in package_of (scripts/lib-package.sh) has" ;;
    esac
}

# loaded_packages: what is loaded later. ncurses is not: it is inside where its archive was there, else the loader needs
# it; and every Debian has descriptions of terminals.
loaded_packages() { printf '%s\n' "${run_packages[@]}" | grep -vxE 'libncursesw6|ncurses-base'; }

# joined: lines as a list with commas.
joined() { paste -sd, | sed 's/,/, /g'; }

# depends PROGRAM…: what the loader needs, and what is loaded later without which nothing is sent, drawn or kept.
depends() {
    local library package packages=()
    for library in $(needed_libraries "$@"); do
        package=$(package_of "$library") || return 1
        [ -z "$package" ] || packages+=("$package")
    done
    {
        echo "libc6 (>= $(oldest_glibc "$@"))"
        {
            [ ${#packages[@]} -eq 0 ] || printf '%s\n' "${packages[@]}"
            loaded_packages
        } | sort -u | while read -r package; do with_alternatives "$package"; done
    } | joined
}

# optional_packages: what Ombi does without where it is missing.
optional_packages() { printf '%s\n' "${picture_packages[@]}" "${yaml_packages[@]}" libpsl5; }

recommends() {
    local name
    for name in $(optional_packages) ca-certificates; do with_alternatives "$name"; done | joined
}

# split_programs FROM TO SYMBOLS: copies the programs without their symbols, and the symbols to where debuggers look when
# they are unpacked next to them.
split_programs() {
    local name
    mkdir -p "$2" "$3"
    for name in ombi ombi-demo-server; do
        [ -x "$1/$name" ] || fail "$1/$name is missing; without --programs, scripts/package builds it"
        strip --strip-all --remove-section=.comment -o "$2/$name" "$1/$name"
        if [[ $(objdump -h "$1/$name") == *.debug_info* ]]; then
            objcopy --only-keep-debug --compress-debug-sections "$1/$name" "$3/$name.debug"
            objcopy --add-gnu-debuglink="$3/$name.debug" "$2/$name"
        fi
    done
}

# settle FOLDER: modes and dates that do not depend on this machine.
settle() {
    chmod -R u=rwX,go=rX "$1"
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# pack FOLDER NAME FILE: a tarball of FOLDER/NAME, the same each time.
pack() {
    settle "$1/$2"
    tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -cf - "$2" |
        gzip -9n >"$3"
}

# write_changelog FILE: CHANGELOG.md as dpkg reads it.
write_changelog() {
    {
        printf 'ombi (%s) unstable; urgency=medium\n\n' "$(package_version)"
        sed -n "/^## \[$(package_version)\]/,/^## \[/{s/^- //p}" CHANGELOG.md |
            sed -E 's/ \(\[[^]]*\]\([^)]*\)(, \[[^]]*\]\([^)]*\))*\)//g; s/\[([^]]*)\]\([^)]*\)/\1/g' |
            while read -r line; do fold -s -w 74 <<<"$line" | sed '1s/^/  * /; 2,$s/^/    /; s/ *$//'; done
        printf '\n -- %s  %s\n' "$(package_maintainer)" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9n >"$1"
}

# write_deb TREE WORK FILE: the tree of an installation as a package for Debian and Ubuntu.
write_deb() {
    local tree=$1 deb=$2/deb maintainer size dependencies
    dependencies=$(depends "$tree/bin/ombi" "$tree/bin/ombi-demo-server")
    maintainer=$(package_maintainer)
    [ -n "$maintainer" ] || fail "A package has a maintainer: set OMBI_MAINTAINER='Name <address>'"
    rm -rf "$deb" && mkdir -p "$deb/DEBIAN" && cp -R "$tree" "$deb/usr"
    # Debian's zsh looks here.
    mv "$deb/usr/share/zsh/site-functions" "$deb/usr/share/zsh/vendor-completions"
    find "$deb/usr/share/man" -type f -exec gzip -9n {} +
    ln -s ombi-demo.1.gz "$deb/usr/share/man/man1/ombi-demo-server.1.gz"
    # It is read by a shell, not run.
    sed -i '1{/^#!/d}' "$deb/usr/share/bash-completion/completions/ombi"
    write_changelog "$deb/usr/share/doc/ombi/changelog.gz"
    install -Dm 644 packaging/lintian-overrides "$deb/usr/share/lintian/overrides/ombi"
    (cd "$deb" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
    # As dpkg-gencontrol counts: files in KiB, and one for anything else.
    size=$(find "$deb/usr" -printf '%y %s\n' |
        awk '{ kib += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print kib }')
    cat >"$deb/DEBIAN/control" <<END
Package: ombi
Version: $(package_version)
Architecture: $(debian_machine)
Maintainer: $maintainer
Installed-Size: $size
Depends: $dependencies
Recommends: $(recommends)
Suggests: libsecret-tools, socat
Section: utils
Priority: optional
Description: API explorer for the terminal
 Ombi opens collections of HTTP requests kept as JSON files, sends them, and
 shows every attempt of a run while it happens: what it waits for, why it was
 retried, and how much time is left. The same files run headless in CI.
 .
 The demo server that comes along lets everything be tried offline.
END
    settle "$deb"
    dpkg-deb --root-owner-group -Zxz --build "$deb" "$3" >/dev/null
}
