/// A file in the form of the AWS command line: `[section]`, below it `key = value`, comments after `#` or `;` at the start of a
/// line. Lines that are indented below a key belong to its value, which is then one of many settings, and are left out.
struct AWSFile: Equatable {
    struct Failure: Error, Equatable {
        /// From 1.
        var line: Int
        var message: String
    }

    /// The keys in lower case. A key that a section has twice has its last value.
    private(set) var sections: [String: [String: String]] = [:]

    /// Reads a file. Errors never quote a line of it.
    init(_ text: String) throws(Failure) {
        var section: String?
        var isBelowKey = false
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        for (number, line) in zip(1..., lines) {
            let content = line.trimmed
            guard let first = content.first, first != "#", first != ";" else { continue }
            if isBelowKey, line.first == " " || line.first == "\t" { continue }
            if first == "[" {
                guard let end = content.lastIndex(of: "]") else {
                    throw Failure(line: number, message: "there is no ]")
                }
                section = content[content.index(after: content.startIndex)..<end].trimmed
                isBelowKey = false
                if let section, sections[section] == nil { sections[section] = [:] }
                continue
            }
            guard let sign = content.firstIndex(where: { $0 == "=" || $0 == ":" }), sign > content.startIndex else {
                throw Failure(line: number, message: "there is no key with a = after it")
            }
            guard let section else { throw Failure(line: number, message: "there is no [section] before it") }
            sections[section]?[content[..<sign].trimmed.lowercased()] = content[content.index(after: sign)...].trimmed
            isBelowKey = true
        }
    }

    /// The name of the profile that a section of `~/.aws/config` describes; nil for other sections.
    static func profile(of section: String) -> String? {
        if section == "default" { return section }
        let word = section.prefix { $0 != " " && $0 != "\t" }
        let name = section[word.endIndex...].trimmed
        guard word == "profile", !name.isEmpty else { return nil }
        for quote in ["\"", "'"] where name.count > 2 && name.hasPrefix(quote) && name.hasSuffix(quote) {
            return String(name.dropFirst().dropLast())
        }
        return name
    }
}
