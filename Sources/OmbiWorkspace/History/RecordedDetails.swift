/// The parts of a run that no query selects by, as JSON: the prepared request, and the response without its body. Runs
/// that send the same request share the former.
enum RecordedDetails {
    // MARK: The request

    /// - Parameter url: The masked URL, if it is known.
    static func json(_ request: PreparedRequest, url: String? = nil) -> JSONValue {
        let headers = request.headers.filter { !$0.isOfTrace }.map {
            JSONValue.strings([$0.name, masked($0.name, $0.value), text($0.source)])
        }
        let variables = request.variables.map {
            JSONValue.strings([$0.name, masked($0.name, $0.value), text($0.source)])
        }
        let connection = request.connection.map { JSONValue.strings([$0.name, $0.value, text($0.source)]) }
        let sends = request.sources.map {
            JSONValue.strings([$0.source, $0.destination, $0.parts.joined(separator: ", ")])
        }
        let authentication = request.authentication.map { JSONValue.strings([$0.value, text($0.source)]) }
        return [
            "url": .string(url ?? LogMask.url(request.url)), "method": .string(request.method.rawValue),
            "hostSource": .string(text(request.hostSource)), "headers": .array(headers),
            "sla": [.number(request.sla.value.wholeMicroseconds), .string(text(request.sla.source))],
            "attempts": [.number(request.attempts.value), .string(text(request.attempts.source))],
            "body": request.body.map { JSONValue.string(LogMask.json($0)) },
            "namesFiles": request.namesFiles ? .bool(true) : nil, "authentication": authentication,
            "verifiesTLS": request.verifiesTLS ? nil : .bool(false), "variables": list(variables),
            "connection": list(connection), "sends": list(sends),
            "traceURL": request.traceURL.map(JSONValue.string),
        ]
    }

    /// Nil for none.
    static func list(_ values: [JSONValue]) -> JSONValue? { values.isEmpty ? nil : .array(values) }

    /// Also masks secrets that only their names reveal.
    fileprivate static func masked(_ name: String, _ value: String) -> String {
        RequestHeaders.Key(name).isSensitive ? LogMask.mask : value
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
        request.traceURL = json["traceURL"]?.stringValue
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

extension JSONValue {
    /// Nil unless it is a whole number.
    var integerValue: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
    // Numbers of a file that may be damaged: nil beyond what is recorded.
    var storedCount: Int? { integerValue.flatMap { StoredRange.count.contains($0) ? $0 : nil } }
    var storedStatus: Int? { integerValue.flatMap { StoredRange.status.contains($0) ? $0 : nil } }
    var storedDuration: Duration? {
        integerValue.flatMap { StoredRange.duration.contains($0) ? .microseconds($0) : nil }
    }
    var storedDate: Date? { integerValue.flatMap { StoredRange.date.contains($0) ? Date(microseconds: $0) : nil } }
}

extension Duration {
    /// The number of microseconds that have passed entirely, in the range of an integer.
    var wholeMicroseconds: Int {
        // Up to nine seconds, a division of 64 bits does instead of one of 128.
        if let attoseconds = Int64(exactly: attoseconds) { return Int(attoseconds / 1_000_000_000_000) }
        let seconds = min(max(components.seconds, -Self.maximumSeconds), Self.maximumSeconds)
        return Int(seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }

    private static let maximumSeconds: Int64 = 9_000_000_000_000
}

/// The stored headers of attempts that differ from those of the last request: an attempt before a challenge had no
/// credentials.
enum RecordedHeaders {
    /// Returns names and values for each attempt, `null` for one that equals the last request; nil if all do.
    static func json(_ result: SessionResult, _ sent: PreparedRequest?) -> JSONValue? {
        // The only one sent the last request.
        guard let attempts = result.report?.attempts, attempts.count > 1, attempts.contains(where: { $0.sent != nil }),
            let last = sent?.headers
        else { return nil }
        let known = last.compactMap { line($0.name, $0.value) }.sorted()
        let own = attempts.map { attempt -> JSONValue in
            guard let fields = attempt.sent?.fields,
                fields.compactMap({ line($0.key.name, $0.value.text) }).sorted() != known
            else { return .null }
            return .array(
                fields.map { .strings([$0.key.name, RecordedDetails.masked($0.key.name, $0.value.text)]) })
        }
        return own.allSatisfy { $0 == .null } ? nil : .array(own)
    }

    static func read(_ json: JSONValue?, into result: inout SessionResult) {
        guard let lists = json?.elements, var report = result.report else { return }
        for (index, list) in zip(report.attempts.indices, lists) {
            if list.elements != nil { report.attempts[index].sent = RecordedDetails.headers(list) }
        }
        result.report = report
    }

    /// A header to compare; nil for the span, which each attempt has for itself. Credentials count by their presence.
    private static func line(_ name: String, _ value: String) -> String? {
        RequestHeaders.Key(name) == .traceParent
            ? nil : "\(name.lowercased()): \(RecordedDetails.masked(name, value))"
    }
}

/// The stored traces of a run's attempts. They are next to the response, because each run has its own, while runs that
/// send the same request share the rest.
enum RecordedTraces {
    /// Returns the `traceparent` of each attempt, an empty text for none; nil for a run that was not traced.
    static func json(_ result: SessionResult) -> JSONValue? {
        guard let attempts = result.report?.attempts, attempts.contains(where: { $0.trace != nil }) else { return nil }
        return .strings(attempts.map { $0.trace?.header ?? "" })
    }

    /// Completes the attempts, and the headers of the request that was sent last.
    static func read(_ json: JSONValue?, into result: inout SessionResult) {
        guard let texts = json?.elements, var report = result.report else { return }
        for (index, text) in zip(report.attempts.indices, texts) {
            report.attempts[index].trace = text.stringValue.flatMap { TraceContext($0) }
        }
        result.report = report
        guard let trace = report.attempts.last?.trace, var sent = result.prepared else { return }
        guard !sent.headers.contains(where: { RequestHeaders.Key($0.name) == .traceParent }) else { return }
        sent.headers.append(.init(name: RequestHeaders.Key.traceParent.name, value: trace.header, source: .ombi))
        result.prepared = sent
    }
}
