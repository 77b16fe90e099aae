/// The entries of a `.netrc` file, read as curl reads them: words in any lines, comments after `#`, and macros that end with
/// an empty line. A word in `"` knows `\n`, `\r`, `\t`, and a backslash in front of any other character.
struct Netrc: Equatable {
    struct Entry: Equatable {
        /// Nil for `default`, the entry of all hosts: those after it are never found.
        var machine: String?
        var login: String?
        var password: String?
    }

    struct Failure: Error, Equatable {
        /// From 1.
        var line: Int
        var message: String
    }

    /// In the order of the file.
    private(set) var entries: [Entry] = []

    /// Returns the first entry that is of a host, or of all hosts.
    func entry(of host: String) -> Entry? {
        func plain(_ host: String) -> String {
            let name = host.lowercased()
            return name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        }
        let host = plain(host)
        return entries.first { $0.machine.map { plain($0) == host } ?? true }
    }

    /// Reads a file. Errors never quote a word of it.
    init(_ text: String) throws(Failure) {
        var reader = NetrcReader(text)
        while let word = try reader.next() {
            switch word.lowercased() {
            case "machine":
                guard let name = try reader.next() else { throw reader.failure("a machine has no name") }
                entries.append(Entry(machine: name))
            case "default": entries.append(Entry())
            case "macdef": reader.skipMacro()
            case "login": change(\.login, to: try reader.next())
            case "password": change(\.password, to: try reader.next())
            case "account": _ = try reader.next()
            default: break
            }
        }
    }

    /// Sets the first value of the current entry; a value before all entries is ignored.
    private mutating func change(_ part: WritableKeyPath<Entry, String?>, to value: String?) {
        guard let last = entries.indices.last, entries[last][keyPath: part] == nil else { return }
        entries[last][keyPath: part] = value
    }
}

/// Reads one word after the other.
private struct NetrcReader {
    /// A line break of Windows is one.
    private let text: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { self.text = TextFile.scalars(of: text).map { $0 == "\r" ? "\n" : $0 } }

    private var current: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || (0x09...0x0D).contains(scalar.value)
    }

    /// Returns nil at the end.
    mutating func next() throws(Netrc.Failure) -> String? {
        while let scalar = current, Self.isSpace(scalar) || scalar == "#" {
            if scalar == "#" { skipLine() } else { index += 1 }
        }
        guard let first = current else { return nil }
        if first == "\"" { return try quoted() }
        var word = String.UnicodeScalarView()
        while let scalar = current, !Self.isSpace(scalar) {
            word.append(scalar)
            index += 1
        }
        return String(word)
    }

    private mutating func quoted() throws(Netrc.Failure) -> String {
        let start = index
        index += 1
        var word = String.UnicodeScalarView()
        while let scalar = current, scalar != "\"", scalar != "\n" {
            index += 1
            guard scalar == "\\" else {
                word.append(scalar)
                continue
            }
            guard let escaped = current, escaped != "\n" else { break }
            index += 1
            word.append(Self.unescaped(escaped))
        }
        guard current == "\"" else {
            index = start
            throw failure("a quote is not closed")
        }
        index += 1
        return String(word)
    }

    private static func unescaped(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        default: scalar
        }
    }

    /// Skips to an empty line, which ends a macro, as does one of spaces.
    mutating func skipMacro() {
        repeat { skipLine() } while !isLineEmpty
    }

    private var isLineEmpty: Bool {
        var end = index
        while end < text.count, text[end] == " " || text[end] == "\t" { end += 1 }
        return end == text.count || text[end] == "\n"
    }

    private mutating func skipLine() {
        while let scalar = current, scalar != "\n" { index += 1 }
        if current != nil { index += 1 }
    }

    func failure(_ message: String) -> Netrc.Failure {
        Netrc.Failure(line: text[..<index].count(where: { $0 == "\n" }) + 1, message: message)
    }
}
