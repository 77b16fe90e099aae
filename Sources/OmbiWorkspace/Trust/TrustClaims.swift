import OmbiCore
import OmbiDocument

/// The parts of a collection that need trust: what it runs and reads outside the workspace, and the addresses that the
/// secrets may be sent to. Trust holds until one of these lines changes; other edits do not end it.
struct TrustClaims: Equatable, Sendable {
    /// Sentences, each once.
    let lines: [String]

    init(lines: [String]) { self.lines = lines }

    /// - Parameter folder: that of the collection file.
    init(_ collection: Collection, folder: String) {
        var sources: Set<String> = []
        for environment in collection.environments + collection.overlay.environments {
            if let path = environment.envFile, let line = Self.line(.file(path), folder) {
                sources.insert("\(line), for names of \(environment.name)")
            }
            for secret in environment.secrets {
                guard let line = Self.line(secret.source, folder) else { continue }
                sources.insert("\(line), for {{\(secret.name)}} of \(environment.name)")
            }
        }
        for secret in collection.overlay.secrets {
            guard let line = Self.line(secret.source, folder) else { continue }
            sources.insert("\(line), for {{\(secret.name)}} of every environment")
        }
        var addresses = TrustAddresses()
        let overlay = collection.overlay
        addresses.collect([collection.json] + overlay.environments.map(\.json), overlay.variables)
        lines = (sources.union(addresses.programs)).sorted() + addresses.lines.sorted()
    }

    /// True where nothing needs trust.
    var isEmpty: Bool { !lines.contains { line in Self.verbs.contains { line.hasPrefix($0) } } }

    private static let verbs = ["runs ", "reads "]

    private static func line(_ source: Secret.Source, _ folder: String) -> String? {
        switch source {
        case .environment(let name): return "reads the environment variable \(name)"
        case .command(let words, _): return "runs \(CommandWords.text(words))"
        case .keyring: return "reads \(source.place)"
        case .prompt, .envFile, .value: return nil
        case .file(let path):
            // Links may lead anywhere.
            guard let real = Workspace.outside(path, folder: folder) else { return nil }
            let place = RelativePath.resolve(path, folder: folder)
            return "reads the file \(path)" + (place == real || path.hasPrefix("~/") ? "" : " (\(real))")
        }
    }
}

/// The places of a collection that decide where a request goes, as they are written.
private struct TrustAddresses {
    private(set) var lines: Set<String> = []
    /// The programs that run to reach them.
    private(set) var programs: Set<String> = []

    /// Members that decide nothing: what is sent, and what is expected.
    private static let others: Set<String> = [
        "$schema", "name", "description", "request", "folder", "secrets", "headers", "additionalHeaders", "query",
        "body",
        "expect", "capture", "pathParameters",
    ]

    /// Members whose texts are addresses, whatever is in them.
    private static let ways: Set<String> = ["host", "proxy", "resolve", "unixSocket"]
    private static let throughSSH = "runs ssh to connect through "

    mutating func collect(_ values: [JSONValue], _ more: [Variable]) {
        var (texts, variables): (Set<String>, [String: Set<String>]) = ([], [:])
        for value in values { Self.collect(value, key: "", &texts, &variables) }
        for variable in more { variables[variable.name, default: []].insert(variable.value) }
        for text in texts {
            let isTunnel = text.hasPrefix(Self.throughSSH)
            if isTunnel { programs.insert(text) } else { lines.insert("sends to \(text)") }
        }
        // The names in addresses, and in their values.
        var left = texts.reduce(into: Set<String>()) { $0.formUnion(Self.names(in: $1)) }
        var seen: Set<String> = []
        while let name = left.popFirst() {
            guard seen.insert(name).inserted else { continue }
            for value in variables[name] ?? [] {
                lines.insert("with {{\(name)}} as \(value)")
                left.formUnion(Self.names(in: value))
            }
        }
    }

    private static func collect(
        _ value: JSONValue, key: String, _ texts: inout Set<String>, _ variables: inout [String: Set<String>]
    ) {
        switch value {
        case .object(let members):
            for member in members where !others.contains(member.key) {
                if member.key == "variables" {
                    add(member.value, to: &variables)
                } else {
                    collect(member.value, key: member.key, &texts, &variables)
                }
            }
        case .array(let values): for value in values { collect(value, key: key, &texts, &variables) }
        case .string(let text):
            // Inherited ways that are switched off.
            let isOff = text == ConnectionText.none
            if key == "caFile", !isOff { texts.insert("servers with certificates of \(text)") }
            if key == "via" {
                if !isOff { texts.insert(throughSSH + text) }
                return
            }
            let isWay = ways.contains(key) && !(isOff && key != "host")
            let isAddress = isWay || text.contains("://") || key == "path" && text.hasPrefix("{{")
            if isAddress { texts.insert(origin(of: text)) }
        case .bool(let flag): if key == "verifyTLS", !flag { texts.insert("servers with untrusted certificates") }
        case .null, .number: break
        }
    }

    /// - Parameter list: an object, or an array of objects with a name and a value.
    private static func add(_ list: JSONValue, to variables: inout [String: Set<String>]) {
        switch list {
        case .object(let members):
            for member in members {
                if let text = text(of: member.value) { variables[member.key, default: []].insert(text) }
            }
        case .array(let fields):
            for field in fields {
                guard case .object(let members) = field,
                    case .string(let name)? = members.first(where: { $0.key == "name" })?.value
                else { continue }
                if let text = text(of: field) { variables[name, default: []].insert(text) }
            }
        case .null, .bool, .number, .string: break
        }
    }

    private static func text(of variable: JSONValue) -> String? {
        switch variable {
        case .string(let text): text
        case .object(let members): members.first { $0.key == "value" }.flatMap { text(of: $0.value) }
        case .null, .bool, .number, .array: nil
        }
    }

    /// Scheme and host, or all of a text that is no literal address.
    private static func origin(of text: String) -> String {
        Origin.isAbsolute(text) ? String(text[..<Origin.pathStart(of: text)]) : text
    }

    private static func names(in text: String) -> Set<String> {
        guard text.contains("{{"), let template = try? Template(text) else { return [] }
        return Set(template.names)
    }
}
