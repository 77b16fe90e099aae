import OmbiCore

extension SavedRequest {
    /// Sets the path and the query for a URL of another tool, whose templates have the names and functions of Ombi.
    /// - Parameter hasParameters: false for a tool in which `/:name` is a plain segment.
    mutating func setAddress(_ url: String, hasParameters: Bool, _ log: inout ImportLog, at offset: Int) {
        let (written, rawQuery, hasFragment) = ForeignText.split(url)
        if hasFragment { log.remark(offset, "#", "the fragment of a URL is not sent") }
        if written.isEmpty { log.loss(offset, "url", "the URL is empty") }
        let base = written.isEmpty ? "/" : RequestTarget.imported(written)
        if let problem = RequestTarget(base).problem { log.loss(offset, "url", problem) }
        let start = base.firstRange(of: "://")?.upperBound ?? base.startIndex
        let rest = String(base[start...])
        path = TemplateText.escaped(
            foreign: String(base[..<start]) + (hasParameters ? rest : rest.replacing("/:", with: "/%3A")))
        guard let rawQuery, !rawQuery.isEmpty else { return }
        if let rows = Field.rows(ofQuery: rawQuery) {
            query = rows.map { Field(TemplateText.escaped(foreign: $0.name), TemplateText.escaped(foreign: $0.value)) }
        } else {
            path += "?" + TemplateText.escaped(foreign: rawQuery)
        }
    }
}

extension RequestTarget {
    /// Returns the path for a URL of another tool, which needs no scheme.
    static func imported(_ url: String) -> String {
        if url.hasPrefix("//") { return "http:" + url }
        if url.isEmpty || url.hasPrefix("/") || url.hasPrefix("{{") || url.contains("://") { return url }
        let target = RequestTarget(url)
        return target.isURL || target.problem != nil ? target.text : "http://" + url
    }
}
