/// The path of a saved request without its query, split at its `:name` parameters.
struct PathPattern {
    enum Part: Equatable {
        case text(String)
        case parameter(String)
    }

    let parts: [Part]

    /// A parameter follows a `/` and a colon: letters, digits and underscores.
    init(_ path: String) {
        var parts: [Part] = []
        var text = ""
        var rest = path[...]
        while let slash = rest.firstIndex(of: "/") {
            let behind = path.index(after: slash)
            text.append(contentsOf: rest[..<behind])
            rest = path[behind...]
            guard rest.first == ":" else { continue }
            let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !name.isEmpty else { continue }
            parts += [.text(text), .parameter(String(name))]
            text = ""
            rest = rest[name.endIndex...]
        }
        text.append(contentsOf: rest)
        self.parts = parts + [.text(text)]
    }

    /// The names of the parameters, in order.
    var parameters: [String] {
        parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}

extension SavedRequest {
    /// The names of the parameters in the path, each once, in order.
    public var pathParameterNames: [String] {
        var seen: Set<String> = []
        return PathPattern(String(path.prefix { $0 != "?" && $0 != "#" })).parameters.filter {
            seen.insert($0).inserted
        }
    }
}
