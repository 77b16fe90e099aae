/// The requests in a pasted text: those of curl commands, or that of a single URL.
struct PastedRequests {
    let requests: [SavedRequest]
    private let notes: [ImportNote]

    /// Nil for any other text.
    /// - Parameter environment: a URL below its host becomes a path.
    init?(_ text: String, in environment: Environment? = nil) throws(ImportError) {
        let target = RequestTarget(text)
        let isURL = target.isURL && !target.text.contains(where: \.isWhitespace)
        guard isURL || CurlImport.recognizes(text) else { return nil }
        let imported =
            try isURL ? CurlImport.read(words: ["curl", "-g", target.text]) : CurlImport.read(text).withOwnVariables
        requests = imported.requests.map { request in environment.flatMap(request.relative) ?? request }
        notes = imported.losses + imported.notes.filter { $0.kind != .loss }
    }

    /// Says what happened, and the first of what was not kept; the other notes are in the message log alone.
    func outcomes(_ done: String) -> [Outcome] {
        guard let first = notes.first else { return .notify(.success, done) }
        let others = notes.dropFirst()
        let more = others.isEmpty ? "" : "; L shows \(Count.of(others.count, "more note"))"
        return others.map { .notice(Notice($0.kind == .loss ? .warning : .info, $0.description)) }
            + .notify(first.kind == .loss ? .warning : .success, "\(done). \(first)\(more)")
    }

    /// Returns a pasted text without the line end that often comes with it.
    static func trimmed(_ text: String) -> String { String(text.trimming(while: \.isWhitespace)) }
}
