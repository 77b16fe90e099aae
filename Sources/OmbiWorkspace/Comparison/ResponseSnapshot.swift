/// The part of a response that a snapshot file keeps: its status, some of its headers, and its body in a form that
/// stays the same while its values do. Secrets are masked.
package struct ResponseSnapshot: Equatable, Sendable {
    struct Header: Equatable, Sendable {
        /// In lower case.
        var name: String
        var value: String
    }

    /// Nil for a response that has none.
    var status: Int?
    /// In the order of the request for them.
    var headers: [Header]
    /// JSON with sorted keys, or text as it came.
    var body: String

    static let placeholder = "(ignored)"
    /// In bytes. Of a larger body, the file has the size and a hash.
    private static let maximumBody = 4 << 20

    /// Nil for a run without a complete response.
    /// - Parameters:
    ///   - names: the headers that are kept.
    ///   - paths: those whose values may differ.
    package init?(_ result: SessionResult, headers names: [String], ignoring paths: [JSONPath] = []) {
        guard let response = result.response else { return nil }
        status = response.statusCode
        headers = []
        for name in names {
            let key = RequestHeaders.Key(name)
            for field in response.headers?.fields ?? [] where field.key == key {
                let value = key.isSensitive ? LogMask.mask : field.value.text.visible
                headers.append(Header(name: name.lowercased(), value: Self.trimmed(value[...])))
            }
        }
        body = Self.text(of: result.maskedBody ?? Data(), paths)
    }

    private static func text(of body: Data, _ paths: [JSONPath]) -> String {
        guard body.count <= maximumBody else { return summary(of: body) }
        if let text = normalized(body, paths) { return text }
        return String(validating: body, as: UTF8.self) ?? summary(of: body)
    }

    private static func summary(of body: Data) -> String {
        "(\(body.count) bytes, SHA-256 \(WorkspaceContent.digest(body))…)\n"
    }

    /// Returns nil unless the body is JSON.
    private static func normalized(_ body: some Sequence<UInt8>, _ paths: [JSONPath]) -> String? {
        JSONNormalization.text(of: JSONIndex.document(Bytes(body)), replacing: paths, by: placeholder)
    }

    private static func trimmed(_ text: Substring) -> String { String(text.trimming { $0 == " " }) }
}

/// The text of a snapshot file: a line for the status, one for each header, an empty line, the body.
extension ResponseSnapshot {
    private static let start = "HTTP "

    package var text: String {
        let first = Self.start + (status.map(String.init) ?? "-")
        return ([first] + headers.map { "\($0.name): \($0.value)" }).joined(separator: "\n") + "\n\n" + body
    }

    /// Nil for the content of a file that is no snapshot.
    package init?(_ content: [UInt8]) {
        var lines: [String] = []
        var rest = content[...]
        while let end = rest.firstIndex(of: 0x0A) {
            // git may write the line ends of the system.
            let line = rest[..<end].last == 0x0D ? rest[..<end].dropLast() : rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        guard let first = lines.first, first.hasPrefix(Self.start) else { return nil }
        status = Int(first.dropFirst(Self.start.count))
        headers = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = Self.trimmed(line[line.index(after: colon)...])
            headers.append(Header(name: String(line[..<colon]), value: value))
        }
        body = String(decoding: rest, as: UTF8.self)
    }
}

/// Comparison.
extension ResponseSnapshot {
    /// The maximum number of differing values that are listed.
    private static let maximumChanges = 10

    /// Returns what differs from an earlier snapshot, a clause each: `status: 200 → 503`, `$.total: 3 → 4`.
    /// - Parameters:
    ///   - names: the headers that are compared.
    ///   - paths: those whose values may differ.
    package func differences(
        from old: ResponseSnapshot, headers names: [String], ignoring paths: [JSONPath] = []
    ) -> [String] {
        var found: [String] = []
        if old.status != status { found.append("status: \(Self.word(old.status)) → \(Self.word(status))") }
        for name in names.map({ $0.lowercased() }) {
            let (before, now) = (old.value(of: name), value(of: name))
            if before != now { found.append("header \(name): \(before ?? "none") → \(now ?? "none")") }
        }
        return found + bodyDifferences(from: old, paths)
    }

    private static func word(_ status: Int?) -> String { status.map(String.init) ?? "none" }

    private func value(of name: String) -> String? {
        let values = headers.filter { $0.name == name }.map { $0.value.excerpt() }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private func bodyDifferences(from old: ResponseSnapshot, _ paths: [JSONPath]) -> [String] {
        if old.body == body { return [] }
        // The file may be older than the paths.
        let before = Self.normalized(old.body.utf8, paths) ?? old.body
        switch BodyDifference(from: Data(before.utf8), to: Data(body.utf8), ignoring: paths) {
        case .same: return []
        case .values(let changes, let isCut):
            let more = changes.count - Self.maximumChanges
            let rest = more > 0 ? ["and \(more)\(isCut ? " or more" : "") other values"] : []
            return changes.prefix(Self.maximumChanges).map(Self.clause) + rest
        case .other: return [Self.lineDifference(before, body)]
        }
    }

    private static func clause(_ change: JSONValueChange) -> String {
        switch change.kind {
        case .added: "\(change.path): added \(change.new ?? "")"
        case .removed: "\(change.path): removed \(change.old ?? "")"
        case .changed: "\(change.path): \(change.old ?? "") → \(change.new ?? "")"
        }
    }

    /// Names the first line of two texts that differs.
    private static func lineDifference(_ old: String, _ new: String) -> String {
        if old.isEmpty { return "body: there was none" }
        if new.isEmpty { return "body: there is none" }
        let (left, right) = (lines(old), lines(new))
        let common = zip(left, right).prefix { $0 == $1 }.count
        let texts = [left, right].map { lines in
            guard common < lines.count else { return "none" }
            return "\"" + String(decoding: lines[common], as: UTF8.self).excerpt() + "\""
        }
        return "body, line \(common + 1): \(texts[0]) → \(texts[1])"
    }

    private static func lines(_ text: String) -> [[UInt8]] {
        text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    }
}
