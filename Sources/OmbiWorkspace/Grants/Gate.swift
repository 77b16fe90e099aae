/// Decides which values of this machine a collection may send where, by the user's grants and the options of this run.
package final class Gate: Sendable {
    private struct State {
        /// The grants of files, until the store changes.
        var known: [String: Set<Flow>] = [:]
        var stamp: GrantStore.Stamp?
        /// The grants of this run alone, by file.
        var own: [String: Set<Flow>] = [:]
    }

    private let store: GrantStore?
    private let isOpen: Bool
    /// Files of the program itself.
    private let builtIn: [String]
    private let patterns: [GrantPattern]
    private let state = Lock(State())

    /// - Parameters:
    ///   - builtIn: the paths of collections that are part of the program.
    ///   - patterns: the grants of a command line, for all collections of its run.
    package convenience init(
        store: GrantStore? = .standard, builtIn: [String] = [], patterns: [GrantPattern] = []
    ) {
        self.init(store, builtIn, patterns, isOpen: false)
    }

    private init(_ store: GrantStore?, _ builtIn: [String], _ patterns: [GrantPattern], isOpen: Bool) {
        (self.store, self.builtIn, self.patterns, self.isOpen) = (store, builtIn, patterns, isOpen)
    }

    /// A gate that lets everything through: for programs whose collections are their own.
    package static var open: Gate { Gate(nil, [], [], isOpen: true) }

    package func missing(_ flows: [Flow], of file: String) -> [Flow] {
        if flows.isEmpty || isOpen || builtIn.contains(file) { return [] }
        return flows.filter { !isGranted($0, to: file) }
    }

    package func isGranted(_ flow: Flow, to file: String) -> Bool {
        if flow.isFree || isOpen || builtIn.contains(file) { return true }
        if state.withLock({ $0.own[file]?.contains(flow) ?? false }) { return true }
        if patterns.contains(where: { $0.allows(flow) }) { return true }
        guard let store else { return false }
        // Another program may have revoked it meanwhile.
        let stamp = store.stamp
        let isKnown = state.withLock { state in
            if state.stamp != stamp { (state.stamp, state.known) = (stamp, [:]) }
            return state.known[file]?.contains(flow) ?? false
        }
        if isKnown { return true }
        let isStored = store.grants(of: file).contains {
            $0.source == flow.source.text && $0.destination == flow.destination.text
        }
        if isStored { state.withLock { _ = $0.known[file, default: []].insert(flow) } }
        return isStored
    }

    /// Returns true for a source that may go to some destination: a document is read before it is known where it leads.
    package func isGranted(_ source: Source, to file: String) -> Bool {
        if source.isFree || isOpen || builtIn.contains(file) { return true }
        if state.withLock({ $0.own[file]?.contains { $0.source == source } ?? false }) { return true }
        if patterns.contains(where: { $0.names(source) }) { return true }
        return store?.grants(of: file).contains { $0.source == source.text } ?? false
    }

    /// Returns the question about flows; nil if all are granted.
    package func question(about flows: [Flow], of file: String) -> GateQuestion? {
        let missing = missing(flows, of: file)
        guard !missing.isEmpty else { return nil }
        let sources = Set(missing.map(\.source.text))
        let before = (store?.grants(of: file) ?? []).filter { sources.contains($0.source) }.map(\.destination)
        return GateQuestion(file: file, flows: missing, before: Set(before).sorted())
    }

    package func grant(_ question: GateQuestion, _ answer: GateAnswer) throws(FileError) {
        guard answer != .refused else { return }
        state.withLock { $0.own[question.file, default: []].formUnion(question.flows) }
        guard answer == .allowed, let store else { return }
        try store.add(question.flows, of: question.file)
        // A grant in the store may be revoked.
        state.withLock { $0.own[question.file]?.subtract(question.flows) }
    }

    /// Allows values that a user has typed for a destination.
    func allow(_ flows: [Flow], of file: String) {
        state.withLock { $0.own[file, default: []].formUnion(flows) }
    }
}

/// A grant of a command line: `NAME=DESTINATION`, such as `TOKEN=https://api.example.com`. `*` is any source.
package struct GrantPattern: Sendable, Equatable {
    private var name: String
    private var destination: String

    /// Throws for a text that no flow can match.
    package init(_ text: String) throws(FieldError) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw FieldError("write NAME=URL, such as TOKEN=https://api.example.com")
        }
        name = parts[0]
        destination = try Self.normalized(parts[1])
    }

    private static func normalized(_ text: String) throws(FieldError) -> String {
        let isProxy = text.hasPrefix(Destination.proxyStart) || text == Destination.undecided.text
        // A part of the host may be masked, and behind a comma are the words for the way there.
        if isProxy || Origin.isAbsolute(text) && (text.contains(", ") || text.contains(LogMask.mask)) { return text }
        let start = Origin.isAbsolute(text) ? Origin.pathStart(of: text) : text.endIndex
        let server = String(text[..<start])
        guard Origin(server) != nil, let url = URL(string: server), let plain = Destination(url, Connection()) else {
            throw FieldError(HostText.noURL(text))
        }
        guard !server.contains("*") else {
            throw FieldError("a grant is for one server; write its name in place of *")
        }
        guard text[start...].allSatisfy({ $0 == "/" }) else {
            throw FieldError("a grant is for a whole server; write \(server) alone")
        }
        return plain.text
    }

    package func flows(among flows: [Flow]) -> [Flow] {
        Set(flows.map(\.source).filter(names)).map { Flow($0, to: Destination(text: destination)) }
    }

    /// Returns true if it matches only the start of the destinations of these flows: without the proxy, for example.
    package func isIncomplete(among flows: [Flow]) -> Bool {
        let texts = flows.filter { names($0.source) }.map(\.destination.text)
        return !texts.contains(destination) && texts.contains { $0.hasPrefix(destination + ", ") }
    }

    func allows(_ flow: Flow) -> Bool { flow.destination.text == destination && names(flow.source) }

    fileprivate func names(_ source: Source) -> Bool { name == "*" || source.names.contains(name) }
}

extension Flow {
    /// The grant of a command line that allows it: `TOKEN=https://api.example.com`.
    package var pattern: String {
        let name = source.names.first { !$0.isEmpty && !$0.contains("=") } ?? "*"
        return "\(name)=\(destination.text)"
    }
}

/// The question whether a collection may send sources to destinations that it has no grants for.
package struct GateQuestion: Equatable, Sendable {
    package var file: String
    /// The path that stands for no file.
    package static let noFile = "."
    package var flows: [Flow]
    /// The texts of the destinations that the same sources were granted for before.
    package var before: [String]

    package init(file: String, flows: [Flow], before: [String] = []) {
        self.file = file
        self.before = before
        var seen: Set<Flow> = []
        self.flows = flows.filter { seen.insert($0).inserted }
    }

    /// The last component of the path.
    package var name: String {
        if file == Self.noFile { return "this request" }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return name == "." ? "this folder" : name
    }

    /// The question in lines: programs and other accesses first, then each destination with the values for it.
    package var lines: [String] {
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
    /// True for a part of the route to the destination, which is not sent there.
    fileprivate var isDoor: Bool {
        switch self {
        case .socket, .ssh: true
        default: false
        }
    }
}

package enum GateAnswer: Equatable, Sendable {
    case refused
    /// Holds as long as the program runs.
    case allowedNow
    /// Is kept until it is revoked.
    case allowed
}
