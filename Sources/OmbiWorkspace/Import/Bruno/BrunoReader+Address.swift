import OmbiCore

/// The URLs of requests, their parameters and their queries.
extension BrunoReader {
    mutating func setAddress(_ source: BrunoRequest, of request: inout SavedRequest) {
        let offset = source.urlOffset
        let (written, writtenQuery, hasFragment) = ForeignText.split(ForeignText.line(source.url).trimmed)
        var query = writtenQuery
        if hasFragment { log.remark(offset, "#", "the fragment of a URL is not sent") }
        let sent = source.query.filter { $0.isEnabled && !$0.name.isEmpty }
        // The list is what counts: the URL repeats those that are enabled.
        if !source.query.isEmpty {
            query = sent.map { Self.part($0.name) + "=" + Self.part($0.value) }.joined(separator: "&")
        }
        var names = ForeignParameters()
        let base = parameters(in: written, source.pathParameters, &names, at: offset)
        var url = renamed(base, at: offset)
        let text = renamed(query ?? "", at: offset)
        let rows = source.settings["encodeUrl"] == "true" ? encodedRows(sent, or: text) : Self.rows(writtenAs: text)
        if rows == nil { url += "?" + text }
        request.setAddress(url, hasParameters: true, &log, at: offset)
        request.query += rows ?? []
        describeQuery(sent, of: &request)
        for row in source.query where !row.isEnabled && !row.name.isEmpty {
            let (name, value) = (template(row.name, at: row.offset), template(row.value, at: row.offset))
            request.query.append(Field(name, value, enabled: false).described(row.description))
        }
        setParameters(names, source.pathParameters, of: &request, at: offset)
    }

    /// Returns rows that are sent as the query is written; nil for a parameter without a name.
    private static func rows(writtenAs query: String) -> [Field]? {
        guard !query.isEmpty else { return [] }
        return Field.rows(writtenAs: query)?.map(escaped)
    }

    /// Returns rows of which all but letters and digits is encoded, `%` too; nil for a parameter without a name.
    private mutating func encodedRows(_ rows: [BrunoRow], or query: String) -> [Field]? {
        guard rows.isEmpty else {
            return rows.map { row in
                Field(
                    template(ForeignText.line(row.name), at: row.offset),
                    template(ForeignText.line(row.value), at: row.offset))
            }
        }
        var fields: [Field] = []
        for item in query.split(separator: "&") {
            let name = item.prefix { $0 != "=" }
            guard !name.isEmpty else { return nil }
            fields.append(Self.escaped(Field(String(name), String(item[name.endIndex...].dropFirst()))))
        }
        return fields
    }

    private static func escaped(_ field: Field) -> Field {
        var field = field
        field.name = TemplateText.escaped(foreign: field.name)
        field.value = TemplateText.escaped(foreign: field.value)
        return field
    }

    /// Describes the rows that are sent, unless the query is in the path.
    private mutating func describeQuery(_ rows: [BrunoRow], of request: inout SavedRequest) {
        guard rows.count == request.query.count else {
            for row in rows { noteDescription(of: row) }
            return
        }
        request.query = zip(request.query, rows).map { $0.described($1.description) }
    }

    /// A name or a value that ends neither itself nor the query.
    private static func part(_ text: String) -> String {
        ForeignText.line(text).replacing("#", with: "%23").replacing("&", with: "%26")
    }

    // MARK: Path parameters

    /// Returns a path whose parameters have names of letters, digits and underscores. One amid a segment, as OData has
    /// it, gets its value.
    private mutating func parameters(
        in base: String, _ rows: [BrunoRow], _ names: inout ForeignParameters, at offset: Int
    ) -> String {
        guard base.contains(":") else { return base }
        let start = base.firstRange(of: "://")?.upperBound ?? base.startIndex
        var segments = base[start...].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for index in segments.indices.dropFirst() where segments[index].contains(":") {
            let segment = segments[index]
            if segment.hasPrefix(":") {
                let old = String(segment.dropFirst())
                guard !old.isEmpty, !old.contains("{{") else { continue }
                segments[index] = ":" + names.name(for: old, &log, at: offset)
            } else if let open = segment.firstIndex(of: "(") {
                segments[index] = String(segment[..<open]) + filled(segment[open...], rows, at: offset)
            }
        }
        return String(base[..<start]) + segments.joined(separator: "/")
    }

    /// Fills in `(:id)` and `(':id')`.
    private mutating func filled(_ text: Substring, _ rows: [BrunoRow], at offset: Int) -> String {
        var result = String(text)
        // The longest first: a name may begin as another does.
        for row in rows.sorted(by: { $0.name.utf8.count > $1.name.utf8.count }) where !row.name.isEmpty {
            for (start, end) in [("('", "')"), ("(", ")")] {
                let mark = start + ":" + row.name + end
                // A value may have the names of others in it.
                guard result.contains(mark), result.utf8.count + row.value.utf8.count <= 4096 else { continue }
                result = result.replacing(mark, with: start + row.value + end)
                log.remark(offset, ":\(row.name)".excerpted, "its value is written into the path")
            }
        }
        return result
    }

    private mutating func setParameters(
        _ names: ForeignParameters, _ rows: [BrunoRow], of request: inout SavedRequest, at offset: Int
    ) {
        var values: [String: Field] = [:]
        for row in rows where values[row.name] == nil {
            values[row.name] = Field("", template(row.value, at: row.offset)).described(row.description)
        }
        request.setPathParameters(&log, at: offset) { values[names.written($0)] }
    }
}
