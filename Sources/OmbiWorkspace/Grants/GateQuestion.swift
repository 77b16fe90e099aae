/// The question whether a collection may send sources to destinations that it has no grants for.
public struct GateQuestion: Equatable, Sendable {
    /// The path of the collection file.
    public var file: String
    /// The flows that are asked for, each once.
    public var flows: [Flow]
    /// The texts of the destinations that the same sources were granted for before.
    public var before: [String]

    public init(file: String, flows: [Flow], before: [String] = []) {
        self.file = file
        self.before = before
        var seen: Set<Flow> = []
        self.flows = flows.filter { seen.insert($0).inserted }
    }

    /// The last component of the path.
    public var name: String { file.split(separator: "/").last.map(String.init) ?? file }

    /// The question in lines: programs and other doors first, then each destination with what goes there.
    public var lines: [String] {
        let doors = unique(flows.filter { $0.source.isActive }.map { Self.door($0.source) })
        var lines = doors
        for destination in unique(flows.map(\.destination)) {
            let sources = flows.filter { $0.destination == destination }.map(\.source)
            let carried = unique(sources.filter { !$0.isDoor }.map(\.text))
            lines.append(
                (carried.isEmpty ? "connects to " : "sends to ") + destination.text + (carried.isEmpty ? "" : ":"))
            lines += carried.map { "    " + $0 }
        }
        if !before.isEmpty { lines.append("until now allowed: " + before.joined(separator: "; ")) }
        return lines
    }

    private static func door(_ source: Source) -> String {
        switch source {
        case .command(let words, let content):
            "runs " + Words.line(words) + (content.map { " (content \($0))" } ?? "")
        case .ssh(let host): "runs ssh to " + Words.name(host)
        case .socket(let path): "connects to the socket " + Words.path(path)
        default: "reads " + source.text
        }
    }

    private func unique<Element: Hashable>(_ list: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return list.filter { seen.insert($0).inserted }
    }
}

extension Source {
    /// True for what is a way to the destination, and not sent there.
    fileprivate var isDoor: Bool {
        switch self {
        case .socket, .ssh: true
        default: false
        }
    }
}

/// The answer to a `GateQuestion`.
public enum GateAnswer: Equatable, Sendable {
    case refused
    /// Holds as long as the program runs.
    case allowedNow
    /// Is kept until it is revoked.
    case allowed
}
