/// A path with parameters in the places of identifiers: the samples of one route have the same pattern.
struct RoutePath: Equatable, Sendable {
    /// `/users/:userId/orders`
    let pattern: String
    /// With the values of the sample.
    let parameters: [Field]
    private let segments: [Segment]

    private enum Segment: Equatable, Sendable {
        case plain(Substring)
        /// - Parameter end: the ending of a file, with its dot.
        case parameter(end: Substring)
    }

    /// - Parameter path: percent-encoded, without a query.
    init(_ path: String) {
        var (segments, parameters, written): ([Segment], [Field], [String]) = ([], [], [])
        var noun = ""
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            let (stem, end) = Self.parts(of: segment)
            guard let kind = IdentifierKind(stem) else {
                segments.append(.plain(segment))
                written.append(String(segment))
                if !segment.isEmpty { noun = Self.noun(segment) }
                continue
            }
            let name = Self.unused(kind.name(of: noun), among: parameters.map(\.name))
            parameters.append(Field(name, String(stem)))
            segments.append(.parameter(end: end))
            written.append(":\(name)\(end)")
            noun = ""
        }
        (self.segments, self.parameters) = (segments, parameters)
        pattern = written.joined(separator: "/")
    }

    /// Splits `42.json`; the end is empty for a segment that is no file.
    private static func parts(of segment: Substring) -> (stem: Substring, end: Substring) {
        guard let dot = segment.lastIndex(of: "."), dot > segment.startIndex else { return (segment, "") }
        let letters = segment[segment.index(after: dot)...]
        let isEnding = (1...5).contains(letters.count) && letters.allSatisfy { $0.isASCII && $0.isLetter }
        return isEnding ? (segment[..<dot], segment[dot...]) : (segment, "")
    }

    /// Returns `orderItem` for `order-items`; empty for a segment that no name can be made of.
    private static func noun(_ segment: Substring) -> String {
        let words = segment.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
        guard let first = words.first, first.first?.isLetter == true, words.count <= 3, segment.count <= 40 else {
            return ""
        }
        let rest = words.dropFirst().map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
        return singular("\(first.prefix(1).lowercased())\(first.dropFirst())\(rest.joined())")
    }

    private static func singular(_ noun: String) -> String {
        if noun.hasSuffix("ies"), noun.count > 4 { return "\(noun.dropLast(3))y" }
        if ["sses", "xes", "ches", "shes"].contains(where: { noun.hasSuffix($0) }) { return String(noun.dropLast(2)) }
        if noun.hasSuffix("s"), !noun.hasSuffix("ss"), !noun.hasSuffix("us"), noun.count > 2 {
            return String(noun.dropLast())
        }
        return noun
    }

    private static func unused(_ name: String, among names: [String]) -> String {
        var (result, number) = (name, 2)
        while names.contains(result) {
            result = "\(name)\(number)"
            number += 1
        }
        return result
    }

    /// Returns true for the path of a saved request that has this route. A name that somebody has given to a part of
    /// the path stands for identifiers, and for the value that it has there.
    func matches(_ path: String, _ values: [Field]) -> Bool {
        let others = path.split(separator: "/", omittingEmptySubsequences: false)
        guard others.count == segments.count else { return false }
        return zip(segments, others).allSatisfy { segment, other in
            switch segment {
            case .plain(let text):
                guard other.hasPrefix(":") else { return text == other }
                return values.contains { other.dropFirst() == $0.name && text == $0.value }
            case .parameter(let end):
                guard other.hasSuffix(end) else { return false }
                return other.hasPrefix(":") || other.contains("{{") || IdentifierKind(Self.parts(of: other).stem) != nil
            }
        }
    }
}

/// A form of identifiers, by which a part of a path is told from a word.
enum IdentifierKind: Equatable, Sendable {
    case number, uuid, hexadecimal, random, date, secret

    /// Nil for a word.
    init?(_ text: Substring) {
        guard !text.isEmpty, text.utf8.count <= 4096 else { return nil }
        if !SecretDetector.find(in: String(text), named: "").isEmpty {
            self = .secret
        } else if text.utf8.allSatisfy(Self.isDigit) {
            self = .number
        } else if Self.isUUID(text) {
            self = .uuid
        } else if Self.isDate(text) {
            self = .date
        } else if text.utf8.count >= 8, text.utf8.contains(where: Self.isDigit), text.allSatisfy(\.isHexDigit) {
            self = .hexadecimal
        } else if Self.isRandom(text) {
            self = .random
        } else {
            return nil
        }
    }

    /// The name of a parameter behind a noun: `userId`.
    func name(of noun: String) -> String {
        switch self {
        case .date: "date"
        case .secret: "token"
        case .number, .uuid, .hexadecimal, .random: noun.isEmpty ? "id" : noun + "Id"
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isUUID(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// `2026-11-28`
    private static func isDate(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [4, 2, 2] && parts.allSatisfy { $0.utf8.allSatisfy(isDigit) }
    }

    /// ULIDs (`01ARZ3NDEKTSV4RRFFQ69G5FAV`), identifiers with a prefix (`ord_8f2kQ1xZ`) and those in Base64.
    private static func isRandom(_ text: Substring) -> Bool {
        let isAlphanumeric = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber)
        }
        guard text.allSatisfy({ isAlphanumeric($0) || $0 == "_" || $0 == "-" }),
            text.utf8.contains(where: isDigit)
        else { return false }
        let (hasCapitals, hasSmall) = (text.contains(where: \.isUppercase), text.contains(where: \.isLowercase))
        if text.utf8.count == 26, !hasSmall, text.allSatisfy(isAlphanumeric) { return true }
        if text.utf8.count >= 20, hasCapitals, hasSmall, !text.contains("-") { return true }
        guard let underscore = text.firstIndex(of: "_") else { return false }
        let (prefix, rest) = (text[..<underscore], text[text.index(after: underscore)...])
        return (2...5).contains(prefix.count) && prefix.allSatisfy(\.isLowercase) && rest.utf8.count >= 8
            && rest.allSatisfy(isAlphanumeric) && rest.utf8.contains(where: isDigit)
    }
}
