/// The URLs of requests: one text, or its parts.
extension PostmanReader {
    /// Sets the path, its parameters and the query of a request.
    mutating func address(_ url: ForeignValue?, of request: inout SavedRequest, at offset: Int) {
        let offset = url?.offset ?? offset
        var (base, query, hasFragment) = ForeignText.split(
            ForeignText.line(url?.string ?? url?["raw"]?.text ?? "").trimmed)
        if let url, url.string == nil {
            let built = Self.base(of: url)
            if base.isEmpty {
                base = built
                hasFragment = !(url["hash"]?.text ?? "").isEmpty
            } else if !(url["host"]?.text ?? "").isEmpty, !base.contains("@"), Self.ending(built) != Self.ending(base) {
                log.remark(offset, "url", "its text and its parts differ; the parts are taken, as Postman does")
                base = built
            }
        }
        if hasFragment { log.remark(offset, "#", "the fragment of a URL is not sent") }
        var names = ForeignParameters()
        let renamed = names.renamed(in: base, &log, at: offset) { Self.writtenValue(of: $0, in: url?["variable"]) }
        request.path = target(template(renamed, at: offset), at: offset)
        setQuery(query, url?["query"], of: &request, at: offset)
        if let problem = request.target.problem { log.loss(offset, "url", problem) }
        setParameters(names, url?["variable"], of: &request, at: offset)
    }

    // MARK: Parts

    /// The URL of its parts without the query.
    private static func base(of url: ForeignValue) -> String {
        let host = joined(url["host"], by: ".")
        let path = joined(url["path"], by: "/")
        let port = url["port"]?.text ?? ""
        var scheme = url["protocol"]?.text ?? ""
        while let last = scheme.last, ":/".contains(last) { scheme.removeLast() }
        let server = (scheme.isEmpty || host.isEmpty ? "" : scheme + "://") + host + (port.isEmpty ? "" : ":" + port)
        let isList = url["path"]?.kind == .array
        if path.isEmpty, url["path"]?.elements.isEmpty ?? true { return server }
        return server + (path.hasPrefix("/") && !isList ? "" : "/") + path
    }

    /// A text, or the texts of a list, which may be objects with a value.
    private static func joined(_ value: ForeignValue?, by separator: String) -> String {
        guard let value else { return "" }
        guard value.kind == .array else { return value.text }
        return value.elements.map { $0["value"]?.text ?? $0.text }.joined(separator: separator)
    }

    /// A URL without slashes at its end.
    private static func ending(_ url: String) -> Substring {
        var rest = url[...]
        while rest.last == "/" { rest.removeLast() }
        return rest
    }

    /// Returns the path for a URL, which needs no scheme.
    private mutating func target(_ url: String, at offset: Int) -> String {
        // A scheme alone is what is left of an address that was never written.
        if ["", "http://", "https://"].contains(url) {
            log.loss(offset, "url", "the URL is empty")
            return "/"
        }
        return RequestTarget.imported(url)
    }

    // MARK: Path parameters

    /// The value of a parameter that is written into the path: Postman does not encode a slash and an escape.
    private static func writtenValue(of name: String, in list: ForeignValue?) -> String? {
        let row = list?.elements.first { ($0["key"] ?? $0["id"] ?? $0["name"])?.text == name }
        guard let value = row?["value"]?.string,
            TemplateText.plainParts(of: value).contains(where: { $0.contains { "/%".contains($0) } })
        else { return nil }
        return ForeignText.line(value)
    }

    private mutating func setParameters(
        _ names: ForeignParameters, _ list: ForeignValue?, of request: inout SavedRequest, at offset: Int
    ) {
        var values: [String: Field] = [:]
        for row in list?.elements ?? [] {
            guard let key = (row["key"] ?? row["id"] ?? row["name"])?.text, values[key] == nil else { continue }
            let value = template(row["value"]?.text ?? "", at: row.offset)
            values[key] = Field("", value).described(description(of: row))
            if !names.contains(key), Self.writtenValue(of: key, in: list) == nil {
                log.loss(row.offset, key.excerpted, "a path parameter that the URL does not have")
            }
        }
        request.setPathParameters(&log, at: offset) { values[names.written($0)] }
    }

    // MARK: Query

    private mutating func setQuery(
        _ raw: String?, _ list: ForeignValue?, of request: inout SavedRequest, at offset: Int
    ) {
        var (items, rows, descriptions): ([String], [Field], [String]) = ([], [], [])
        var keys: Set<String> = []
        for row in list?.elements ?? [] {
            let (key, value) = (row["key"]?.text ?? "", row["value"]?.text)
            // The text of the URL has a & of a value as it is.
            keys.formUnion("\(key)=\(value ?? "")".split(separator: "&").map { String($0.prefix { $0 != "=" }) })
            if row["disabled"]?.bool ?? false {
                if !key.isEmpty {
                    let value = template(value ?? "", at: row.offset)
                    var field = Field(template(key, at: row.offset), value, enabled: false)
                    field.isRaw = !behavior.encodesURLs
                    rows.append(field.described(description(of: row)))
                }
            } else if !key.isEmpty || value != nil {
                let name = written(key, "&#=", at: row.offset)
                let text = value.map { written($0, "&#", at: row.offset) }
                items.append(text.map { "\(name)=\($0)" } ?? name)
                descriptions.append(description(of: row))
            }
        }
        let raw = raw ?? ""
        if keys.isEmpty, !raw.isEmpty { items = [renamed(raw, at: offset)] }
        for item in raw.split(separator: "&") where !keys.isEmpty {
            let key = String(item.prefix { $0 != "=" })
            guard !keys.contains(key), !keys.contains(PercentEncoding.unescapeForm(key)) else { continue }
            items.append(renamed(String(item), at: offset))
        }
        descriptions += items.dropFirst(descriptions.count).map { _ in "" }
        set(items.joined(separator: "&"), descriptions, of: &request, at: offset)
        request.query += rows
    }

    /// A key or a value of the list as the text of a URL has it, in which the characters would divide it.
    private mutating func written(_ text: String, _ dividers: String, at offset: Int) -> String {
        TemplateText.mapping(renamed(text, at: offset)) { plain in
            plain.map { dividers.contains($0) ? PercentEncoding.escape(String($0)) : String($0) }.joined()
        }
    }

    /// Sets the rows that are sent, or the query of the path.
    private mutating func set(
        _ query: String, _ descriptions: [String], of request: inout SavedRequest, at offset: Int
    ) {
        let written = query
        var query = query
        if behavior.encodesURLs {
            log.noteEscapes(inQuery: query, at: offset)
            // A URL may have it, and Postman encodes it in the query alone.
            query = TemplateText.mapping(query) { $0.map { $0 == "'" ? "%27" : String($0) }.joined() }
        } else {
            noteEncoding(of: query, request, at: offset)
        }
        request.query = []
        guard !query.isEmpty else { return }
        let isDescribed = descriptions.contains { !$0.isEmpty }
        var rows = behavior.encodesURLs ? Field.rows(ofQuery: query) : Field.rawRows(ofQuery: query)
        if rows == nil, isDescribed || query != written { rows = Field.rows(writtenAs: query) }
        guard let rows else {
            if isDescribed {
                log.loss(offset, "description", "left out with the rows of a query that stays in the path")
            }
            request.path += "?" + TemplateText.escaped(foreign: query)
            return
        }
        // Without a list, the text is one item.
        let isWhole = rows.count == descriptions.count
        request.query = rows.enumerated().map { index, row in
            row.escapedForeign.described(isWhole ? descriptions[index] : "")
        }
    }

    /// Notes that what no URL may have is encoded, though Postman would send it.
    private mutating func noteEncoding(of query: String, _ request: SavedRequest, at offset: Int) {
        let isPath = TemplateText.plainParts(of: request.path).allSatisfy { PercentEncoding.escapePath($0) == $0 }
        let isQuery = TemplateText.plainParts(of: query).allSatisfy { PercentEncoding.escapeWrittenQuery($0) == $0 }
        guard !isPath || !isQuery else { return }
        log.loss(offset, "disableUrlEncoding", "characters that no URL may have are percent-encoded all the same")
    }
}
