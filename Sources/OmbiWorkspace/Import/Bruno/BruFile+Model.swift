/// The parts of a collection in a `.bru` file.
extension BruFile {
    /// The head of the request; nil for a file without one.
    private var head: Block? {
        blocks.first { BruHead.methods.contains($0.name) || ["http", "grpc", "ws"].contains($0.name) }
    }

    var isEnvironment: Bool {
        !blocks.isEmpty && blocks.allSatisfy { $0.name == "vars" || $0.name == "vars:secret" }
    }

    /// The name, the order among its siblings and the rest of what is said of a request or a folder.
    func meta(_ name: String) -> String? {
        self["meta"]?.pairs.last { $0.name == name }?.value
    }

    /// Nil for a file without a request.
    var request: BrunoRequest? {
        guard let head else { return nil }
        var request = BrunoRequest()
        let value = { (name: String) in head.pairs.last { $0.name == name } }
        request.offset = head.offset
        request.name = meta("name") ?? ""
        request.kind = meta("type") ?? "http"
        if ["grpc", "ws"].contains(head.name) { request.kind = head.name }
        request.tags = tags
        request.method = head.name == "http" ? value("method")?.value ?? "" : head.name.uppercased()
        request.url = value("url")?.value ?? ""
        request.urlOffset = value("url")?.offset ?? head.offset
        request.scope = scope
        request.scope.credentials = credentials(value("auth")?.value ?? "none", at: head.offset)
        request.query = rows("params:query") + rows("query")
        request.pathParameters = rows("params:path")
        request.assertions = rows("assert")
        for pair in self["settings"]?.pairs ?? [] { request.settings[pair.name] = pair.value }
        let saved = blocks.filter { $0.name == "example" }
        request.examples = saved.compactMap { SavedExample(bru: $0.text) }
        request.lostExamples = saved.count - request.examples.count
        request.body = body(BrunoBody.mode(value("body")?.value ?? "none"))
        if request.body.mode == "none", request.kind == "graphql" { request.body.mode = "graphql" }
        let sent = request.isWebSocket ? "ws" : request.body.mode
        request.unused = blocks.filter { block in
            let isBody = block.name.hasPrefix("body:") && block.name != "body:" + sent
            let isOfQuery = block.name == "body:graphql:vars" && sent == "graphql"
            let mode = request.scope.credentials?.mode ?? "none"
            let isCredentials = block.name.hasPrefix("auth:") && !block.name.hasPrefix("auth:" + mode)
            return isBody && !isOfQuery || isCredentials
        }.map { (name: $0.name, offset: $0.offset) }
        return request
    }

    /// The parts of a collection, a folder or a request.
    var scope: BrunoScope {
        var scope = BrunoScope()
        scope.headers = rows("headers")
        scope.variables = rows("vars:pre-request")
        scope.captures = rows("vars:post-response")
        for block in blocks where block.name.hasPrefix("script:") || block.name == "tests" {
            let runsBefore = block.name == "script:pre-request"
            scope.scripts.append(BrunoScript(runsBefore: runsBefore, text: block.text, offset: block.offset))
        }
        if let block = self["auth"], let mode = block.pairs.last(where: { $0.name == "mode" })?.value {
            scope.credentials = credentials(mode, at: block.offset)
        }
        scope.documentation = self["docs"]?.text ?? ""
        return scope
    }

    var variables: [BrunoRow] {
        let secrets = self["vars:secret"]?.pairs ?? []
        return rows("vars")
            + secrets.map {
                BrunoRow(name: $0.name, value: "", isEnabled: $0.isEnabled, offset: $0.offset, isSecret: true)
            }
    }

    // MARK: Parts

    private var tags: [String] {
        guard let pair = self["meta"]?.pairs.last(where: { $0.name == "tags" }) else { return [] }
        guard pair.value.hasPrefix("["), pair.value.hasSuffix("]") else { return pair.words }
        return pair.value.dropFirst().dropLast().split(separator: ",").map { $0.trimmed }
    }

    private func rows(_ name: String) -> [BrunoRow] {
        (self[name]?.pairs ?? []).map { pair in
            BrunoRow(
                name: pair.name, value: pair.value, isEnabled: pair.isEnabled, offset: pair.offset,
                description: pair.description)
        }
    }

    private func credentials(_ mode: String, at offset: Int) -> BrunoCredentials {
        var credentials = BrunoCredentials(mode: mode, offset: offset)
        for block in blocks where block.name == "auth:" + mode || block.name.hasPrefix("auth:\(mode):") {
            credentials.offset = block.offset
            guard block.name != "auth:" + mode else {
                for pair in block.pairs where pair.isEnabled { credentials.values[pair.name] = pair.value }
                continue
            }
            // Such as `auth:oauth2:additional_params:access_token_req:body`.
            let words = block.name.split(separator: ":").suffix(2).map(String.init)
            for row in rows(block.name) where row.isEnabled {
                credentials.addParameter(row, of: words[0], in: words[1])
            }
        }
        return credentials
    }

    private func body(_ mode: String) -> BrunoBody {
        var body = BrunoBody(mode: mode, modeOffset: head?.offset ?? 0)
        for block in blocks where block.name.hasPrefix("body") {
            let name = block.name == "body" ? "json" : String(block.name.dropFirst("body:".count))
            switch name {
            case "form-urlencoded": body.rows[name] = rows(block.name)
            case "multipart-form", "file":
                body.rows[name] = block.pairs.map { BrunoRow(part: $0) }
            case "ws":
                let pair = { (name: String) in block.pairs.last { $0.name == name } }
                let content = pair("content")
                body.messages.append(
                    (pair("name")?.value ?? "", content?.value ?? "", content?.offset ?? block.offset))
            default: body.texts[name] = (block.text, block.offset)
            }
        }
        return body
    }
}

extension BrunoRow {
    /// A row with `@file(path)` or a text, and `@contentType(type)` behind it.
    fileprivate init(part pair: BruFile.Pair) {
        self.init(name: pair.name, value: pair.value, isEnabled: pair.isEnabled, offset: pair.offset)
        description = pair.description
        let mark = "@contentType("
        if pair.trailer.hasPrefix(mark), pair.trailer.hasSuffix(")") {
            contentType = String(pair.trailer.dropFirst(mark.count).dropLast())
        } else if value.hasSuffix(")"), let start = value.starts(of: mark).last {
            contentType = String(value[start...].dropFirst(mark.count).dropLast())
            value = value[..<start].trimmed
        }
        files = Self.files(value)
    }

    /// The paths in `@file(a.png|b.png)`; nil for a text.
    static func files(_ value: String) -> [String]? {
        guard value.hasPrefix("@file("), value.hasSuffix(")") else { return nil }
        let inner = value.dropFirst("@file(".count).dropLast()
        return inner.split(separator: "|").map(String.init)
    }
}

extension SavedExample {
    /// The saved response in an `example` block of a `.bru` file; nil for one without a status, and for one that is too
    /// long.
    init?(bru text: String) {
        let lines = TextLine.lines(of: Array(text.utf8))[...]
        let response = BruSection.lines(of: "response", in: lines) ?? []
        let statusLines = BruSection.lines(of: "status", in: response) ?? []
        let written = BruSection.value(of: "code", in: statusLines) ?? BruSection.value(of: "status", in: response)
        let headers = (BruSection.lines(of: "headers", in: response) ?? []).compactMap { line -> Field? in
            let parts = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return Field(parts[0].trimmed, parts[1].trimmed)
        }
        let body = BruSection.lines(of: "body", in: response) ?? []
        self.init(
            foreign: BruSection.value(of: "name", in: lines) ?? "", status: written.flatMap { Int($0) },
            headers: headers, body: BruSection.value(of: "content", in: body) ?? "")
    }
}

/// Finds parts of a text of blocks in each other.
private enum BruSection {
    private static let quotes = "'''"

    /// The lines in `name: { … }`, which ends with a brace as deep as its head; nil for none.
    static func lines(of name: String, in lines: ArraySlice<TextLine>) -> ArraySlice<TextLine>? {
        guard let level = depth(of: lines) else { return nil }
        guard
            let head = lines.firstIndex(where: {
                $0.indentation == level && [name + ": {", name + " {"].contains($0.text.trimmed)
            })
        else { return nil }
        let rest = lines[(head + 1)...]
        guard let end = rest.firstIndex(where: { $0.indentation <= level && $0.text.trimmed == "}" }) else {
            return nil
        }
        return rest[..<end]
    }

    /// The text behind `name: `, or in `'''` below it; nil for none.
    static func value(of name: String, in lines: ArraySlice<TextLine>) -> String? {
        guard let level = depth(of: lines) else { return nil }
        let mark = name + ":"
        guard let start = lines.firstIndex(where: { $0.indentation == level && isValue($0, of: mark) }) else {
            return nil
        }
        let first = lines[start].text.trimmed.dropFirst(mark.count).trimmed
        guard first.hasPrefix(quotes) else { return first }
        let rest = lines[(start + 1)...]
        guard first == quotes, let end = rest.firstIndex(where: { $0.text.trimmed == quotes }) else {
            let inner = first.dropFirst(quotes.count)
            return String(inner.hasSuffix(quotes) ? inner.dropLast(quotes.count) : inner)
        }
        let text = rest[..<end]
        let margin = depth(of: text) ?? 0
        return text.map { $0.outdented(by: margin) }.joined(separator: "\n")
    }

    private static func isValue(_ line: TextLine, of mark: String) -> Bool {
        let text = line.text.trimmed
        return text.hasPrefix(mark) && text != mark + " {"
    }

    /// The least indentation of the lines with content.
    private static func depth(of lines: ArraySlice<TextLine>) -> Int? {
        lines.filter { !$0.isBlank }.map(\.indentation).min()
    }
}
