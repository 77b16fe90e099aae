/// Paths that stand for those of all elements of an array.
public enum JSONPathPattern {
    /// Returns a path with `[*]` in the place of each position: `$.items[*].id` for `$.items[3].id`.
    public static func generalized(_ path: String) -> String {
        var (result, quote, isEscaped) = ("", Character?.none, false)
        var rest = path[...]
        while let character = rest.first {
            if let open = quote {
                let wasEscaped = isEscaped
                isEscaped = !wasEscaped && character == "\\"
                if !wasEscaped, character == open { quote = nil }
            } else if character == "[" {
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                let behind = rest.dropFirst(1 + digits.count)
                if !digits.isEmpty, behind.first == "]" {
                    result += "[*]"
                    rest = behind.dropFirst()
                    continue
                }
            } else if character == "\"" || character == "'" {
                quote = character
            }
            result.append(character)
            rest.removeFirst()
        }
        return result
    }
}
