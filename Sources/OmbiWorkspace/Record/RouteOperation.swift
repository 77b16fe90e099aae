/// The part of a request that tells it from others to the same URL: the operation that a header or the body names, or
/// else the names of the values in the body. The values themselves are samples.
struct RouteOperation: Equatable, Sendable {
    /// Equal for samples of one operation; empty for a request whose body has no names.
    private(set) var key = ""
    /// Its name for people; empty where nothing names it.
    private(set) var title = ""
    /// The names of the values in a body without a title.
    private(set) var members = ""

    /// The number of requests to one URL. Others are samples of the first one.
    var maximumCount: Int { title.isEmpty ? 16 : 200 }

    /// Headers that name an operation, of SOAP and of AWS.
    private static let headers: Set<String> = ["soapaction", "x-amz-target"]
    /// Members and fields that do.
    private static let names = ["operationName", "operation", "Action", "action", "command", "cmd", "op"]
    /// The calls of a batch that are named.
    private static let maximumCalls = 8

    init(of request: SavedRequest) {
        let header = request.headers.first { $0.enabled && Self.headers.contains($0.name.lowercased()) }
        if let word = header.flatMap({ Self.word($0.value) }) {
            (key, title) = (word, word)
            return
        }
        switch request.body {
        case .graphql(let content)?:
            let name = content.operationName ?? content.knownOperations.first
            (key, title) = (name ?? content.query, name ?? "")
        case .json(let content)?: read(content.value)
        case .form(let content)?:
            let fields = content.fields.filter(\.enabled)
            let action = Self.names.lazy.compactMap { name in fields.first { $0.name == name } }.first
            if let word = action.flatMap({ Self.word($0.value) }) { (key, title) = (word, word) }
            note(fields.map(\.name))
        case .multipart(let content)?: note(content.parts.map(\.name))
        case .text(let content)?:
            if let word = Self.element(of: content.text).flatMap(Self.word) { (key, title) = (word, word) }
        case .file?, nil: break
        }
    }

    /// Returns true for a saved request of the same operation, and for one that leaves it open.
    func matches(_ saved: RouteOperation) -> Bool { saved.key == key || saved.key.isEmpty && title.isEmpty }

    private mutating func read(_ value: JSONValue) {
        let calls = value.elements ?? [value]
        var known: Set<String> = []
        let names = calls.compactMap(Self.name).filter { known.insert($0).inserted }
        if !names.isEmpty {
            let name = names.prefix(Self.maximumCalls).joined(separator: " + ")
            (key, title) = (name, name)
        } else if case .object(let members)? = calls.first {
            note(members.map(\.key))
        }
    }

    /// The operation that an object names: a call of JSON-RPC, a query of GraphQL, or one with a member that says so.
    private static func name(of call: JSONValue) -> String? {
        if call["jsonrpc"] != nil, let method = call["method"]?.stringValue { return method }
        let named = names.lazy.compactMap { member in call[member]?.stringValue.flatMap { word($0) } }.first
        if let named { return named }
        return call["query"]?.stringValue.flatMap { GraphQLContent($0).knownOperations.first }
    }

    /// Takes the names of the values in a body. Those that are identifiers are data.
    private mutating func note(_ names: [String]) {
        guard title.isEmpty, !names.isEmpty else { return }
        members = Set(names.map { Self.word($0) ?? "*" }).sorted().joined(separator: ", ")
        key = "{\(members)}"
    }

    /// The last part of a name: `GetItem` of `DynamoDB_20120810.GetItem`; nil for what is no name.
    private static func word(_ text: String) -> String? {
        let last = text.filter { $0 != "\"" }.split { "/#.".contains($0) }.last ?? ""
        let isName = last.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "_-:$@".utf8.contains(byte)
        }
        guard isName, (1...60).contains(last.utf8.count), IdentifierKind(last) == nil else { return nil }
        return String(last)
    }

    /// The name of the first element of XML; that of the body of an envelope of SOAP.
    private static func element(of xml: String) -> String? {
        guard xml.first(where: { !$0.isWhitespace }) == "<" else { return nil }
        let names = xml.split(separator: "<").lazy.compactMap { tag -> Substring? in
            guard let first = tag.first, first.isLetter || first == "_" else { return nil }
            return tag.prefix { !$0.isWhitespace && $0 != "/" && $0 != ">" }.split(separator: ":").last
        }
        guard names.first == "Envelope" else { return names.first.map(String.init) }
        return names.drop { $0 != "Body" }.dropFirst().first.map(String.init)
    }
}
