/// The flows of the runs in the history, and the responses that repeated a secret.
package struct SourceAudit: Sendable, Equatable {
    /// A source that went to a destination.
    package struct Line: Sendable, Equatable {
        /// The path of the collection file.
        package var file: String
        package var source: String
        package var destination: String
        package var parts: [String]
        package var runs: Int
        package var first: Date
        package var last: Date
    }

    /// A response that repeated a secret of its request.
    package struct Echo: Sendable, Equatable {
        /// The number of the newest such run.
        package var run: Int
        package var request: ItemPath
        /// Paths in its body, and names of its headers: `$.token`, `header X-Seen`.
        package var places: [String]
    }

    package private(set) var lines: [Line] = []
    package private(set) var echoes: [Echo] = []
    private var index: [String: Int] = [:]

    package init() {}

    /// Takes in a run. Runs come with the newest first.
    package mutating func add(_ run: RecordedRun) {
        guard let sources = run.result.prepared?.sources, !sources.isEmpty else { return }
        let (file, date) = (run.entry.request.file, run.entry.startedAt)
        for sent in sources {
            let key = [file, sent.source, sent.destination].joined(separator: "\n")
            if let place = index[key] {
                lines[place].runs += 1
                lines[place].first = min(lines[place].first, date)
                lines[place].last = max(lines[place].last, date)
                for part in sent.parts where !lines[place].parts.contains(part) { lines[place].parts.append(part) }
            } else {
                index[key] = lines.count
                lines.append(
                    Line(
                        file: file, source: sent.source, destination: sent.destination, parts: sent.parts, runs: 1,
                        first: date, last: date))
            }
        }
        guard !echoes.contains(where: { $0.request == run.entry.request }) else { return }
        let places = Self.places(in: run.result.response)
        if !places.isEmpty { echoes.append(Echo(run: run.entry.id, request: run.entry.request, places: places)) }
    }

    /// Returns the flows to destinations that the collection has not sent to so far.
    package func new(_ flows: [Flow], of file: String) -> [Flow] {
        flows.filter { index[[file, $0.source.text, $0.destination.text].joined(separator: "\n")] == nil }
    }

    private static let maximumPlaces = 20

    /// The places of masked values in a recorded response.
    private static func places(in response: TransportResponse?) -> [String] {
        guard let response else { return [] }
        var places = (response.headers?.fields ?? []).filter { $0.value.text.contains(LogMask.mask) }
            .map { "header \($0.key.name)" }
        guard let body = response.body, body.firstRange(of: Data(LogMask.mask.utf8)) != nil else { return places }
        if let document = try? JSONDocument(checking: Bytes(body)), let root = document.firstRoot {
            add(document.value(of: root), at: "$", to: &places)
        } else {
            places.append("body")
        }
        return Array(places.prefix(maximumPlaces))
    }

    private static func add(_ value: JSONValue, at path: String, to places: inout [String]) {
        guard places.count < maximumPlaces else { return }
        switch value {
        case .string(let text): if text.contains(LogMask.mask) { places.append(path) }
        case .array(let values):
            for (index, value) in values.enumerated() { add(value, at: "\(path)[\(index)]", to: &places) }
        case .object(let members): for member in members { add(member.value, at: "\(path).\(member.key)", to: &places) }
        case .null, .bool, .number: break
        }
    }
}
