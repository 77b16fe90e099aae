/// The part of a request that says how its responses are compared: the paths whose values may differ.
package struct SavedComparison: Sendable, Equatable {
    /// JSONPaths (RFC 9535), such as `$.updatedAt` and `$.items[*].id`.
    package var ignore: [String] = []
    package var unknown = UnknownMembers()

    static let maximumPaths = 200

    /// Reads paths with spaces or commas between them, as they are edited in one line.
    package static func list(_ text: String) throws(FieldError) -> [String] {
        var paths: [String] = []
        for path in split(text) where !paths.contains(path) {
            if let problem = problem(of: path) { throw FieldError("\(path): \(problem)") }
            paths.append(path)
        }
        guard paths.count <= maximumPaths else { throw FieldError("at most \(maximumPaths) paths") }
        return paths
    }

    /// Returns the error in a path; nil for a valid one.
    package static func problem(of path: String) -> String? {
        do throws(JSONPathError) {
            _ = try JSONPath(path)
            return nil
        } catch {
            let hint = BodyExpectation.suggestion(for: path).map { "; did you mean \($0)?" } ?? ""
            return error.description + hint
        }
    }

    /// Splits at spaces and commas that are in no brackets.
    private static func split(_ text: String) -> [String] {
        var (parts, part) = ([String](), "")
        var (depth, quote, isEscaped) = (0, Character?.none, false)
        for character in text {
            if let open = quote {
                if !isEscaped, character == open { quote = nil }
                isEscaped = !isEscaped && character == "\\"
            } else if depth > 0, character == "\"" || character == "'" {
                quote = character
            } else if character == "[" || character == "(" {
                depth += 1
            } else if character == "]" || character == ")" {
                depth -= 1
            } else if depth <= 0, character == "," || character.isWhitespace {
                parts.append(part)
                part = ""
                continue
            }
            part.append(character)
        }
        return (parts + [part]).filter { !$0.isEmpty }
    }
}

extension SavedComparison: SavedObject {
    static let members = Members<SavedComparison>([
        Member(
            "ignore", Schema.list("JSONPaths whose values may differ: $.updatedAt, $.items[*].id.", of: Schema.text()),
            read: { $0.ignore = paths($2, in: $1) }, write: { $0.ignore.isEmpty ? nil : .strings($0.ignore) })
    ])

    init(reading object: ObjectReader) {
        self.init()
        unknown = object.read(Self.members, into: &self)
    }

    private static func paths(_ key: String, in object: ObjectReader) -> [String] {
        var paths: [String] = []
        for value in object.array(key) ?? [] {
            guard let text = value.string else {
                object.log.error(at: value.offset, "\"\(key)\": expected a JSONPath in quotes, such as \"$.updatedAt\"")
                continue
            }
            if let problem = problem(of: text) { object.log.error(at: value.offset, "\"\(key)\": \(problem)") }
            paths.append(text)
        }
        if paths.count > maximumPaths { object.error(key, "at most \(maximumPaths) paths") }
        return paths
    }
}

extension SavedRequest {
    /// The paths whose values may differ between responses.
    package var ignoredPaths: [String] {
        get { comparison?.ignore ?? [] }
        set {
            var changed = comparison ?? SavedComparison()
            changed.ignore = newValue
            comparison = changed == SavedComparison() ? nil : changed
        }
    }
}
