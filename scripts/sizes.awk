# Tells of Swift files over 500 lines and of functions over 50, from the line with `func`, `init` or `deinit` to its
# closing brace. The code is formatted, so that this brace stands where the declaration began.
function check_file() { if (lines > 500) printf "%s: %d lines\n", file, lines }
function indent(text) { match(text, /^ */); return RLENGTH }
FNR == 1 { check_file(); file = FILENAME; begin = 0; raw = 0 }
{ lines = FNR }
# A multi-line string may hold anything, also what looks like code.
{
    quotes = gsub(/"""/, "&")
    if (raw) { if (quotes) raw = 0; next }
    if (quotes == 1) raw = 1
}
# A line that ends with a brace is a function on one line.
/^ *([a-z@][A-Za-z0-9@()]* )*(func [^ ]|init[?(<]|deinit )/ && !/^ *return / && !/\} *$/ {
    if (!begin || indent($0) <= depth) { begin = FNR; depth = indent($0); name = substr($0, depth + 1) }
    next
}
begin && /^ *\}/ && indent($0) <= depth {
    # A brace further out closes a protocol: the declaration had no body.
    if (indent($0) == depth && FNR - begin >= 50) printf "%s:%d: %d lines: %s\n", file, begin, FNR - begin + 1, name
    begin = 0
}
END { check_file() }
