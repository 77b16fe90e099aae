# The code of others inside the programs, its licences and the list of it (SBOM); to be sourced after lib-package.sh.
# shellcheck shell=bash disable=SC2016

# pins: each resolved package as a line: identity|version|revision|location.
pins() {
    awk -F'"' '
        $2 == "identity" { identity = $4 }
        $2 == "location" { location = $4; sub(/\.git$/, "", location) }
        $2 == "revision" { revision = $4 }
        $2 == "version" && identity != "" { print identity "|" $4 "|" revision "|" location; identity = "" }
    ' Package.resolved
}

# version_of COMPONENT: of what does not come from Package.resolved, as this machine has it.
version_of() {
    local archive=
    case $1 in
    swift | icu) swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1 ;;
    libstdc++) archive=.build/link/libstdc++.a ;;
    ncurses) archive=.build/link/libncursesw.a ;;
    esac
    [ -e "${archive:-/nowhere}" ] || return 0
    dpkg-query -S "$(readlink -f "$archive")" 2>/dev/null | cut -d: -f1 | xargs -r dpkg-query -W -f '${Version}'
}

# components PROGRAMS: what is inside, as lines: name|version|revision|location|licence|copyright. A package is inside
# when a program has symbols of it; the linker leaves out what nothing reaches.
components() {
    local name licence copyright marks pin symbols
    symbols=$(mktemp)
    nm --defined-only "$1/ombi" "$1/ombi-demo-server" >"$symbols" 2>/dev/null || true
    for name in $(pins | cut -d'|' -f1); do
        grep -q "^$name |" packaging/components.txt ||
            fail "Package.resolved has $name, whose licence is missing in packaging/components.txt"
    done
    grep -v '^#' packaging/components.txt | while IFS='|' read -r name licence copyright marks; do
        name=${name% } licence=${licence# } copyright=${copyright# }
        is_linked "$symbols" "$marks" || continue
        pin=$(pins | grep "^$name|" || true)
        printf '%s|%s|%s\n' "${pin:-$name|$(version_of "$name")||}" "${licence% }" "${copyright% }"
    done
    rm -f "$symbols"
}

# is_linked SYMBOLS MARKS: functions have the name of their module, after its length.
is_linked() {
    local mark
    # Without symbols nothing is known to be left out.
    grep -q ' [Tt] ' "$1" || return 0
    for mark in $2; do
        case $mark in
        =*) grep -qF " ${mark#=}" "$1" && return ;;
        *) grep -qF "\$s${#mark}$mark" "$1" && return ;;
        esac
    done
    return 1
}

# notices NAME: the notices that a package asks to be passed on.
notices() {
    local folder
    for folder in .build/checkouts/*/; do
        folder=${folder%/}
        [ "$(basename "${folder,,}")" != "$1" ] || cat "$folder"/NOTICE* 2>/dev/null || true
    done
}

# write_copyright COMPONENTS FILE: the licence of Ombi, and those of what is inside.
write_copyright() {
    local name version location licence copyright notice
    {
        printf 'Ombi is licensed as follows:\n\n'
        cat LICENSE
        printf '\nThe programs contain code of others. MIT is the licence above, with their copyright; the text of\n'
        printf 'Apache-2.0 is in /usr/share/common-licenses, and in the tarball in share/doc/ombi.\n'
        while IFS='|' read -r name version _ location licence copyright; do
            printf '\n%s %s\n' "$name" "$version"
            [ -z "$location" ] || printf 'Source: %s\n' "$location"
            printf 'Copyright: %s\nLicence: %s\n' "$copyright" "$licence"
            notice=$(notices "$name")
            [ -z "$notice" ] || printf '\n%s\n' "$notice"
        done <"$1"
        printf '\n'
        cat packaging/licences.txt
    } >"$2"
}

# write_sbom COMPONENTS FILE: CycloneDX 1.5. Only a package that is loaded at run time and may be missing is optional.
write_sbom() {
    local name version revision location licence id commit separator=
    commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
    # The same commit and the same parts have the same number.
    id=$({ echo "$commit"; cat "$1"; } | sha256sum |
        sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/\1-\2-4\3-8\4-\5/')
    {
        printf '{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "serialNumber": "urn:uuid:%s",\n' "$id"
        printf '"metadata": {"timestamp": "%s",\n' "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)"
        printf '"component": {"type": "application", "bom-ref": "ombi", "name": "ombi", "version": "%s",\n' \
            "$(package_version)"
        printf '"licenses": [{"license": {"id": "MIT"}}],\n"properties": [{"name": "commit", "value": "%s"}]}},\n' "$commit"
        printf '"components": [\n'
        while IFS='|' read -r name version revision location licence _; do
            printf '%s' "$separator"
            sbom_component "$name" "$version" "$revision" "$location" "$licence"
            separator=$',\n'
        done <"$1"
        for name in $(optional_packages | sed 's/^/optional:/') $(loaded_packages | sed 's/^/required:/'); do
            sbom_library "${name#*:}" "${name%%:*}"
        done
        printf '\n],\n"dependencies": [{"ref": "ombi", "dependsOn": ['
        { cut -d'|' -f1 "$1" && loaded_packages && optional_packages; } |
            sed 's/.*/"&"/' | joined | tr -d '\n'
        printf ']}]}\n'
    } >"$2"
}

# sbom_component NAME VERSION REVISION LOCATION LICENCE: what is linked.
sbom_component() {
    local purl
    purl=pkg:generic/$1@$2
    [ -z "$4" ] || purl=pkg:swift/${4#https://}@$2
    printf '{"type": "library", "bom-ref": "%s", "name": "%s", "version": "%s", "scope": "required",\n' "$1" "$1" "$2"
    printf ' "purl": "%s", "licenses": [{"expression": "%s"}],\n' "${purl//+/%2B}" "$5"
    printf ' "properties": [{"name": "linking", "value": "static"}, {"name": "revision", "value": "%s"}]}' "$3"
}

# sbom_library PACKAGE SCOPE: what is loaded at run time.
sbom_library() {
    printf ',\n{"type": "library", "bom-ref": "%s", "name": "%s", "scope": "%s", "purl": "pkg:deb/debian/%s",\n' \
        "$1" "$1" "$2" "$1"
    printf ' "properties": [{"name": "linking", "value": "loaded at run time"}]}'
}
