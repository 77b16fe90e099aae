/// The path of a saved request without its query, split at its `:name` parameters.
struct PathPattern {
    enum Part: Equatable {
        case text(String)
        case parameter(String)
    }

    let parts: [Part]

    /// A parameter follows a `/` and a colon: letters, digits and underscores.
    init(_ path: String) {
        guard Self.mayHaveParameters(path) else {
            parts = [.text(path)]
            return
        }
        var parts: [Part] = []
        var text = ""
        var rest = path[...]
        while let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
            let behind = path.utf8.index(after: slash)
            text.append(contentsOf: rest[..<behind])
            rest = path[behind...]
            guard rest.utf8.first == UInt8(ascii: ":") else { continue }
            let name = rest[rest.utf8.index(after: behind)...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !name.isEmpty else { continue }
            parts += [.text(text), .parameter(String(name))]
            text = ""
            rest = rest[name.endIndex...]
        }
        text.append(contentsOf: rest)
        self.parts = parts + [.text(text)]
    }

    /// True for a path with a colon behind a slash, which most have not.
    fileprivate static func mayHaveParameters(_ path: String) -> Bool {
        var previous: UInt8 = 0
        return path.utf8.contains { byte in
            defer { previous = byte }
            return byte == UInt8(ascii: ":") && previous == UInt8(ascii: "/")
        }
    }

    /// The names of the parameters, in order.
    var parameters: [String] {
        parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}

extension SavedRequest {
    /// The names of the parameters in the path, each once, in order.
    public var pathParameterNames: [String] {
        guard PathPattern.mayHaveParameters(path) else { return [] }
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let names = PathPattern(String(path[..<(end ?? path.endIndex)])).parameters
        return names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
    }
}
