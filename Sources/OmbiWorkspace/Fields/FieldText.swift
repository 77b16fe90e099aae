/// Numbers, durations and lists as lines of text.
enum FieldText {
    static func count(_ text: String) throws(FieldError) -> Int? {
        if text.isEmpty { return nil }
        guard let count = Int(text), (0...1000).contains(count) else {
            throw FieldError("expected a whole number from 0 to 1000, for example 3")
        }
        return count
    }

    /// Fields as `name=value` words; those with spaces are in quotes.
    static func pairs(_ fields: [Field]) -> String { CommandWords.text(fields.map { "\($0.name)=\($0.value)" }) }

    static func pairs(_ text: String) throws(FieldError) -> [Field] {
        guard let words = CommandWords.words(of: text) else { throw FieldError("a quote is not closed") }
        var fields: [Field] = []
        for word in words {
            guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
                throw FieldError("\"\(word)\": write name=value, with quotes around a value with spaces")
            }
            fields.append(Field(String(word[..<sign]), String(word[word.index(after: sign)...])))
        }
        return fields
    }

    static func duration(_ text: String, allowsZero: Bool = false) throws(FieldError) -> Duration? {
        if text.isEmpty { return nil }
        guard let duration = DurationText.parse(text), duration > .zero || allowsZero else {
            throw FieldError("\"\(text)\" is not a duration; " + DurationText.form)
        }
        return duration
    }

    static func age(_ text: String, allowsZero: Bool = false) throws(FieldError) -> Duration? {
        if text.isEmpty { return nil }
        guard let age = AgeText.parse(text, allowsZero: allowsZero) else {
            throw FieldError("\"\(text)\" is not an age; " + AgeText.form)
        }
        return age
    }

    /// Throws for a text that is no JSONPath.
    static func checkPath(_ text: String) throws(FieldError) {
        do throws(JSONPathError) { _ = try JSONPath(text) } catch {
            throw FieldError("\(text) is no JSONPath: \(error)")
        }
    }

    /// The parts of a header field between semicolons, of which those in quotes divide nothing (RFC 9110 §5.6.6).
    static func parts(ofHeader field: String) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in field {
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    /// Reads a list with commas or spaces between its elements.
    static func list<Element>(
        _ text: String, _ expected: String, _ element: (String) -> Element?
    ) throws(FieldError) -> [Element] {
        var list: [Element] = []
        for word in text.split(whereSeparator: { ", ".contains($0) }) {
            guard let element = element(String(word)) else { throw FieldError("\"\(word)\": expected \(expected)") }
            list.append(element)
        }
        return list
    }
}

extension FieldDescriptor {
    /// Creates a field for a duration that is nil where the field is empty.
    init(_ label: String, duration: WritableKeyPath<Value, Duration?> & Sendable, example: String = "") {
        self.init(label, example: example) {
            $0[keyPath: duration].map(DurationText.format) ?? ""
        } write: { value, edited throws(FieldError) in
            value[keyPath: duration] = try FieldText.duration(edited)
        }
    }
}

/// A share as a text: `20%`, `99.5%`. Nothing at all is no share.
enum PercentText {
    /// Returns the percentage, above 0 and at most 100; nil for any other text.
    static func parse(_ text: String) -> Double? {
        let digits = text.dropLast()
        guard text.hasSuffix("%"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let percent = Double(digits), percent > 0, percent <= 100
        else { return nil }
        return percent
    }

    /// Matches the texts that are read.
    /// - Parameter isBelow100: true where 100 % is none of them.
    static func pattern(isBelow100: Bool = false) -> String {
        let parts = "[1-9][0-9]?(\\.[0-9]*)?|\\.[0-9]*[1-9][0-9]*"
        return "^0*(\(isBelow100 ? "" : "100(\\.0*)?|")\(parts))%$"
    }
}

/// The address of a server as a text: the host of an environment, or the start of a URL.
enum HostText {
    /// Checks the host of an environment, unless it has a template, which may become anything.
    @Sendable static func check(_ host: String) throws(FieldError) {
        if !host.contains("{{"), let problem = problem(with: host) { throw FieldError(problem) }
    }

    /// The reason why no request can be sent to a host; nil for one that is right.
    static func problem(with host: String) -> String? {
        var server = host
        while server.last == "/" { server.removeLast() }
        if server.isEmpty { return "the host is empty; write for example https://api.example.com" }
        guard Origin(server) != nil else { return noURL(host) }
        if Origin.isWebSocket(server) {
            let plain = Origin.httpForm(of: host)
            return "\"\(shown(host))\" is the address of a WebSocket; write \(shown(plain)), which opens them, too"
        }
        guard let mark = server.first(where: { $0 == "?" || $0 == "#" }) else { return nil }
        return "\"\(shown(server))\" has a "
            + (mark == "?" ? "query; write it in the path of a request" : "fragment; remove it")
    }

    static func noURL(_ text: String) -> String {
        if let end = text.firstRange(of: "://")?.lowerBound, !Origin.isAbsolute(text) {
            let scheme = text[..<end]
            if !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
                return "\"\(shown(text))\" cannot be requested; "
                    + "write http:// or https:// in place of \(shown(scheme))://"
            }
        }
        if Origin.isAbsolute(text), let port = port(of: text), !(1...65_535).contains(Int(port) ?? 0) {
            return "the port \"\(shown(port))\" of \"\(shown(text))\" is not a number from 1 to 65535"
        }
        if Origin.isAbsolute(text), let scalar = HostName.replaced(in: text.prefix(upTo: Origin.pathStart(of: text))) {
            return "\"\(shown(text))\" contains " + HostName.reason(scalar)
        }
        return "\"\(shown(text))\" is not a URL; write for example https://api.example.com"
    }

    /// Returns a text as messages quote it: what is pasted by mistake may be a megabyte.
    private static func shown(_ text: some StringProtocol) -> String {
        text.utf8.count > 200 ? text.excerpt(120) : String(text)
    }

    /// The text behind the colon of a host; nil without one.
    private static func port(of text: String) -> Substring? {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let server = text[start..<max(start, Origin.pathStart(of: text))]
        // Behind a user, and the brackets of an address.
        let end = server[(server.lastIndex { $0 == "@" || $0 == "]" } ?? start)...]
        return end.lastIndex(of: ":").map { end[end.index(after: $0)...] }
    }
}

/// The words of a command as one line of text: those with spaces are in quotes. It is no shell: nothing is expanded.
enum CommandWords {
    /// Returns the line that `words(of:)` reads back.
    static func text(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        let needsQuotes = word.unicodeScalars.contains { scalar in
            scalar.properties.isWhitespace || "'\"\\".unicodeScalars.contains(scalar)
        }
        let isPlain = !word.isEmpty && !needsQuotes
        return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// Splits a line at its spaces. Returns nil where a quote is not closed.
    static func words(of text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                word = (word ?? "") + String(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if scalar == open { quote = nil } else { word = (word ?? "") + String(scalar) }
            } else if scalar == "'" || scalar == "\"" {
                (quote, word) = (scalar, word ?? "")
            } else if scalar.properties.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(scalar)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}

extension RequestMethod {
    /// Reads a method as a collection has it: a token (RFC 9110 §9.1) without lower-case letters, as all methods are that
    /// servers know. Throws for any other text.
    package init(text: String) throws(FieldError) {
        // A collection has one for each request, and of other methods few.
        if let known = Self.known(text) {
            self = known
            return
        }
        let reason = "\(JSONValue.quoted(text.excerpt(40))) is not a method"
        guard let method = RequestMethod(rawValue: text) else {
            throw FieldError(reason + "; it is made of capital letters, digits and !#$%&'*+-.^_`|~")
        }
        guard text == text.uppercased() else { throw FieldError(reason + "; write \(text.uppercased())") }
        self = method
    }

    /// `; did you mean "POST"?` for a method that looks like a typo of a known one; otherwise empty.
    package var typoHint: String {
        if Self.known(rawValue) != nil || isIdempotent { return "" }
        // M-SEARCH and BCOPY are methods of their own.
        let others = Self.idempotent.filter { !rawValue.hasSuffix($0) }.sorted()
        return Spelling.hint(for: rawValue, in: Self.allCases.map(\.rawValue) + others)
    }

    private static func known(_ text: String) -> RequestMethod? { allCases.first { $0.rawValue == text } }
}

/// Words for a command line of bash and zsh.
package enum ShellQuotes {
    /// Returns the text as one word, in quotes if it needs any. What a terminal would not show as it is, such as
    /// a control character or a joiner, is written as escapes, which survive being printed and pasted.
    package static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        if text.unicodeScalars.contains(where: isHidden) { return escaped(text) }
        return "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// Returns the text for a comment: in one line, without what a terminal would not show as it is.
    static func comment(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch ScalarClass(scalar) {
            case .unprintable(let picture): result.append(picture)
            case .joiner, .selector: break
            case .printable, .mark, .skinTone: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_./:=,@%+".utf8.contains(byte)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch ScalarClass(scalar) {
        case .unprintable: scalar != "\n"
        case .joiner, .selector: true
        case .printable, .mark, .skinTone: false
        }
    }

    /// Returns `$'…'`.
    private static func escaped(_ text: String) -> String {
        var result = "$'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            // Three digits, so that a digit behind them is not taken for another one. Bytes, as `\u` needs a locale with
            // UTF-8.
            case _ where isHidden(scalar):
                result += UTF8.encode(scalar)?.map { "\\" + $0.digits(3, radix: 8) }.joined() ?? ""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}

/// The content type of a file by the extension of its name.
enum FileType {
    static let unknown = "application/octet-stream"

    static func named(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let types = [
        "bmp": "image/bmp", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "htm": "text/html",
        "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
        "md": "text/markdown", "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png",
        "svg": "image/svg+xml", "tar": "application/x-tar", "txt": "text/plain", "wasm": "application/wasm",
        "webp": "image/webp", "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        "zip": "application/zip",
    ]
}
