import Foundation

/// Goes through a file line by line and keeps the types that a line stands in.
struct DeclarationScanner {
    private struct Scope {
        let indent: Int
        let kind: String
        /// "RequestHeaders/Key"; empty at the top.
        let symbol: String
        let conformances: [String]
        let isPublic: Bool
    }

    let path: String
    private let lines: [String]
    private var scopes: [Scope] = []

    init(file: Repository.File) {
        path = file.path
        lines = file.lines
    }

    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "extension", "func", "var", "let", "init", "subscript", "case",
        "typealias", "associatedtype",
    ]
    private static let types: Set<String> = ["struct", "class", "enum", "protocol", "extension"]
    private static let modifiers: Set<String> = [
        "public", "open", "package", "internal", "private", "fileprivate", "static", "final", "convenience", "mutating",
        "override", "required", "indirect", "nonisolated", "lazy",
    ]

    mutating func scan() -> [Declaration] {
        var found: [Declaration] = []
        for index in lines.indices where !lines[index].isEmpty {
            let indent = lines[index].prefix { $0 == " " }.count
            let isBranch = lines[index].hasPrefix("#")
            if !isBranch { scopes.removeAll { $0.indent >= indent } }
            guard let (words, kind, rest) = Self.parts(of: header(at: index)) else { continue }
            let scope = scopes.last
            guard indent == (scope.map { $0.indent + 4 } ?? 0) else { continue }
            let isPublic = isVisible(words, kind, in: scope)
            let symbol = ([scope?.symbol ?? ""] + [Self.name(kind, rest)]).filter { !$0.isEmpty }.joined(separator: "/")
            if Self.types.contains(kind) {
                scopes.append(
                    Scope(
                        indent: indent, kind: kind, symbol: symbol.replacingOccurrences(of: ".", with: "/"),
                        conformances: Self.conformances(kind, rest), isPublic: isPublic))
            }
            guard isPublic, kind != "extension" else { continue }
            for name in kind == "case" ? Self.cases(rest) : [Self.name(kind, rest)] {
                found.append(
                    Declaration(
                        path: path, line: index + 1, kind: kind,
                        symbol: (scope.map { [$0.symbol] } ?? []).appending(name).joined(separator: "/"),
                        isDocumented: isDocumented(index), conformances: scope?.conformances ?? [],
                        isRequirement: scope?.kind == "protocol",
                        refined: kind == "protocol" ? Self.conformances(kind, rest) : []))
            }
        }
        return found
    }

    private func isVisible(_ words: [String], _ kind: String, in scope: Scope?) -> Bool {
        if !words.filter({ ["public", "open"].contains($0) }).isEmpty { return true }
        guard let scope, scope.isPublic else { return kind == "extension" }
        if words.contains(where: { ["private", "fileprivate", "package", "internal"].contains($0) }) { return false }
        return scope.kind == "protocol" || (scope.kind == "enum" && kind == "case")
    }

    /// The declaration up to its body, on one line.
    private func header(at index: Int) -> String {
        var text = lines[index].trimmingCharacters(in: .whitespaces)
        var next = index + 1
        while Self.isOpen(text), next < lines.count, next < index + 12 {
            text += " " + lines[next].trimmingCharacters(in: .whitespaces)
            next += 1
        }
        return text
    }

    private static func isOpen(_ text: String) -> Bool {
        text.filter { $0 == "(" }.count > text.filter { $0 == ")" }.count || text.hasSuffix(",")
    }

    /// The modifiers, the keyword, and what follows it; nil for a line that declares nothing.
    private static func parts(of header: String) -> ([String], String, String)? {
        var words: [String] = []
        var rest = Substring(header)
        while true {
            rest = rest.drop { $0 == " " }
            let word = rest.prefix { $0.isLetter || $0 == "@" }
            guard !word.isEmpty else { return nil }
            rest = rest.dropFirst(word.count)
            if kinds.contains(String(word)) { return (words, String(word), String(rest)) }
            guard modifiers.contains(String(word)) || word.hasPrefix("@") else { return nil }
            if rest.first == "(" { rest = rest.drop { $0 != ")" }.dropFirst() }
            words.append(String(word))
        }
    }

    private static func name(_ kind: String, _ rest: String) -> String {
        let text = rest.drop { $0 == " " }.filter { $0 != "`" }
        switch kind {
        case "init", "subscript": return kind + labels(of: text, subscripts: kind == "subscript")
        case "func":
            let name = text.prefix { $0 != "(" && $0 != "<" }
            let isOperator = !(name.first?.isLetter ?? false)
            return name.trimmingCharacters(in: .whitespaces)
                + labels(of: text.dropFirst(name.count), subscripts: isOperator)
        default: return String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
        }
    }

    /// "(_:handler:)"
    private static func labels(of text: some StringProtocol, subscripts: Bool) -> String {
        guard let open = text.firstIndex(of: "(") else { return "" }
        var depth = 0
        var parameters = [""]
        for character in text[open...].replacingOccurrences(of: "->", with: "") {
            if ")]>".contains(character) { depth -= 1 }
            if depth == 0, character == ")" { break }
            if depth == 1, character == "," {
                parameters.append("")
            } else if depth > 0 {
                parameters[parameters.count - 1].append(character)
            }
            if "([<".contains(character) { depth += 1 }
        }
        let labels = parameters.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.map {
            parameter in
            guard parameter.contains(":") else { return "_:" }
            let names = parameter.prefix { $0 != ":" }.split(separator: " ")
            return subscripts && names.count < 2 ? "_:" : "\(names.first ?? "_"):"
        }
        return "(\(labels.joined()))"
    }

    /// "failed(_:_:)" and the like; several may stand on one line.
    private static func cases(_ rest: String) -> [String] {
        let text = rest.split(separator: "=")[0]
        let name = text.trimmingCharacters(in: .whitespaces).prefix { $0.isLetter || $0.isNumber }
        guard text.contains("(") else {
            return text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return [name + Self.labels(of: text, subscripts: false)]
    }

    private static func conformances(_ kind: String, _ rest: String) -> [String] {
        let header = rest.components(separatedBy: "{")[0].components(separatedBy: " where ")[0]
        let names = header.replacingOccurrences(of: "&", with: ",").split { ":,".contains($0) }
            .map { String($0.trimmingCharacters(in: .whitespaces).prefix { $0.isLetter || $0 == "." }) }
        return kind == "extension" ? names : Array(names.dropFirst())
    }

    /// Whether `///` stands above, with nothing but attributes in between.
    private func isDocumented(_ index: Int) -> Bool {
        var above = index - 1
        while above >= 0 {
            let line = lines[above].trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("///") { return true }
            guard line.hasPrefix("@") || line.hasPrefix("#if") || line.hasPrefix("#else") else { return false }
            above -= 1
        }
        return false
    }
}

extension Array {
    fileprivate func appending(_ element: Element) -> [Element] { self + [element] }
}
