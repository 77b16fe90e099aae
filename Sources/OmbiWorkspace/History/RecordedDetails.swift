import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parts of a run that nobody selects by, as JSON: the request as it was prepared, and what its response has beside the
/// body. Runs that send the same request share the first.
enum RecordedDetails {
    // MARK: The request

    static func json(_ request: PreparedRequest) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("url", .string(LogMask.url(request.url))), .init("method", .string(request.method.rawValue)),
            .init("hostSource", .string(text(request.hostSource))),
            .init(
                "headers",
                .array(
                    request.headers.map { header in
                        .array([.string(header.name), .string(masked(header)), .string(text(header.source))])
                    })),
            .init("sla", .array([.number(request.sla.value.wholeMicroseconds), .string(text(request.sla.source))])),
            .init("attempts", .array([.number(request.attempts.value), .string(text(request.attempts.source))])),
        ]
        if let body = request.body { members.append(.init("body", .string(LogMask.json(body)))) }
        if request.namesFiles { members.append(.init("namesFiles", .bool(true))) }
        if let authentication = request.authentication {
            let parts = [authentication.value, text(authentication.source)]
            members.append(.init("authentication", .array(parts.map(JSONValue.string))))
        }
        if !request.verifiesTLS { members.append(.init("verifiesTLS", .bool(false))) }
        add("variables", request.variables, to: &members) { [$0.name, masked($0), text($0.source)] }
        add("connection", request.connection, to: &members) { [$0.name, $0.value, text($0.source)] }
        add("sends", request.sources, to: &members) { [$0.source, $0.destination, $0.parts.joined(separator: ", ")] }
        return .object(members)
    }

    private static func add<Part>(
        _ key: String, _ parts: [Part], to members: inout [JSONValue.Member], _ texts: (Part) -> [String]
    ) {
        guard !parts.isEmpty else { return }
        members.append(.init(key, .array(parts.map { .array(texts($0).map(JSONValue.string)) })))
    }

    /// Names tell secrets apart that no collection calls one.
    private static func masked(_ header: PreparedRequest.Header) -> String {
        RequestHeaders.Key(header.name).isSensitive ? LogMask.mask : header.value
    }

    private static func masked(_ variable: UsedVariable) -> String {
        RequestHeaders.Key(variable.name).isSensitive ? LogMask.mask : variable.value
    }

    static func request(_ json: JSONValue) -> PreparedRequest? {
        guard let url = json["url"]?.stringValue, let method = json["method"]?.stringValue else { return nil }
        let (sla, attempts) = (json["sla"]?.elements ?? [], json["attempts"]?.elements ?? [])
        var request = PreparedRequest(
            url: url, hostSource: provenance(json["hostSource"]?.stringValue),
            method: RequestMethod(stringLiteral: method),
            headers: triples(json["headers"]).map {
                PreparedRequest.Header(name: $0.0, value: $0.1, source: provenance($0.2))
            },
            body: json["body"]?.stringValue,
            authentication: (json["authentication"]?.elements).flatMap { parts in
                parts.first?.stringValue.map { .init($0, provenance(parts.last?.stringValue)) }
            },
            sla: .init(sla.first?.storedDuration ?? .zero, provenance(sla.last?.stringValue)),
            attempts: .init(attempts.first?.storedCount ?? 1, provenance(attempts.last?.stringValue)),
            variables: triples(json["variables"]).map {
                UsedVariable(name: $0.0, value: $0.1, source: provenance($0.2))
            })
        request.namesFiles = json["namesFiles"] == .bool(true)
        request.verifiesTLS = json["verifiesTLS"] != .bool(false)
        request.connection = triples(json["connection"]).map {
            .init(name: $0.0, value: $0.1, source: provenance($0.2))
        }
        request.sources = triples(json["sends"]).map { source, destination, parts in
            .init(
                source: source, destination: destination,
                parts: parts.replacing(", ", with: "\n").split(separator: "\n").map(String.init))
        }
        return request
    }

    private static func triples(_ json: JSONValue?) -> [(String, String, String)] {
        (json?.elements ?? []).compactMap { entry in
            guard let parts = entry.elements, parts.count == 3, let name = parts[0].stringValue,
                let value = parts[1].stringValue
            else {
                return nil
            }
            return (name, value, parts[2].stringValue ?? "")
        }
    }

    // MARK: Sources

    private static func text(_ source: Provenance) -> String {
        switch source {
        case .request: "request"
        case .collection: "collection"
        case .folder(let name, _): "folder:" + name
        case .environment(let name): "environment:" + name
        case .row(let number): "row:\(number)"
        case .commandLine: "commandLine"
        case .captured(let request): "captured:" + request
        case .ombi: "ombi"
        }
    }

    private static func provenance(_ text: String?) -> Provenance {
        let text = text ?? ""
        let name = text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? ""
        switch text.prefix(while: { $0 != ":" }) {
        case "request": return .request
        case "collection": return .collection
        // The folder may be gone: its name is what remains.
        case "folder": return .folder(name, ItemID())
        case "environment": return .environment(name)
        case "row": return .row(JSONValue.number(name).storedCount ?? 0)
        case "commandLine": return .commandLine
        case "captured": return .captured(by: name)
        default: return .ombi
        }
    }
}
