/// The bodies of requests: text, parts and files.
extension HTTPFileReader {
    mutating func setBody(_ lines: [TextLine], isGraphQL: Bool, of request: inout SavedRequest) {
        let isMarked = isMarkedAsQuery(&request)
        guard let first = lines.first else { return }
        let type = (request.headers.last { $0.name.lowercased() == "content-type" }?.value).map { value(of: $0) }
        let kind = ForeignBody.kind(of: type ?? "")
        let files = lines.filter { Self.file($0.text) != nil }
        if lines.count == 1, let file = Self.file(first.text) {
            noteFile(file, at: first.offset)
            request.body = .file(FileContent(template(file.path, at: first.offset), contentType: type))
            log.noteType(of: request, from: "VS Code", at: first.offset)
        } else if isGraphQL || isMarked {
            setQuery(lines, of: &request, isNamed: isMarked)
        } else if kind == "multipart/form-data", let boundary = ForeignBody.parameter("boundary", of: type ?? "") {
            setParts(lines, boundary, of: &request)
        } else {
            if let line = files.first {
                log.loss(line.offset, "<", "a file within a body is not read; put its text there")
            }
            setText(lines, type, kind, of: &request)
        }
        request.dropContentType()
    }

    private func isMarkedAsQuery(_ request: inout SavedRequest) -> Bool {
        let count = request.headers.count
        request.headers.removeAll {
            $0.name.lowercased() == "x-request-type" && $0.value.lowercased() == "graphql"
        }
        return request.headers.count < count
    }

    /// A text with the values of variables in place of their names.
    private func value(of text: String) -> String {
        TemplateText.replacing(text) { inner in
            variables.first { $0.name == inner.trimmed && !$0.value.contains("{{") }?.value
        }
    }

    private mutating func setText(
        _ lines: [TextLine], _ type: String?, _ kind: String, of request: inout SavedRequest
    ) {
        let offset = lines.first?.offset ?? 0
        if kind == FormContent.note {
            let written = form(lines, at: offset)
            request.body = ForeignBody(encodesValues: true).body(written, type)
            if case .form? = request.body, written.contains("%20") {
                log.remark(offset, "body", "spaces of the form are sent as +")
            }
            return
        }
        // The last of the lines of JSON ends, too.
        let end = kind == "application/x-ndjson" ? "\n" : ""
        let text = renamed(lines.map(\.text).joined(separator: "\n") + end, at: offset)
        if text.contains("\\{\\{") {
            let content = unescaped(TemplateText.escaped(foreign: text), at: offset)
            request.body = .text(TextContent(content, contentType: type))
            return
        }
        request.body = ForeignBody().body(text, type)
        log.noteType(of: request, from: "VS Code", at: offset)
        let others = lines.filter { $0.comment == nil }
        guard ForeignBody.isJSON(kind), case .text? = request.body else {
            if others.count < lines.count {
                log.remark(offset, "body", "lines that begin with # or // are sent; VS Code leaves them out")
            }
            return
        }
        let plain = renamed(others.map(\.text).joined(separator: "\n"), at: offset)
        if others.count < lines.count, case .json(let content) = ForeignBody().body(plain, type) {
            request.body = .json(content)
            log.remark(offset, "body", "comments in it are dropped")
        } else {
            log.remark(offset, "body", "kept as text, as it is no JSON yet")
        }
    }

    /// A form, which may go over several lines. What no form may have is encoded.
    private mutating func form(_ lines: [TextLine], at offset: Int) -> String {
        let lines = lines.filter { $0.comment == nil }.map(\.text.trimmed)
        var text = renamed(lines.joined(), at: offset)
        // The lines of JetBrains end with &, and spaces around the marks are not sent.
        if lines.count > 1, lines.dropLast().allSatisfy({ $0.hasSuffix("&") }) {
            text = text.split(separator: "&").map { pair in
                pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
                    .joined(separator: "=")
            }.joined(separator: "&")
        }
        return TemplateText.mapping(text) { PercentEncoding.escapeWrittenQuery($0) }
    }

    /// A query, and the variables behind an empty line.
    /// - Parameter isNamed: true for a query whose name is sent, as VS Code does.
    private mutating func setQuery(_ lines: [TextLine], of request: inout SavedRequest, isNamed: Bool) {
        let offset = lines.first?.offset ?? 0
        let mark = lines.indices.last { index in
            index + 1 < lines.count && lines[index].isBlank && lines[index + 1].text.trimmed.hasPrefix("{")
        }
        let text = { (lines: ArraySlice<TextLine>) in lines.map(\.text).joined(separator: "\n") }
        let query = String(text(lines[..<(mark ?? lines.endIndex)]).trimming(while: \.isNewline))
        var content = GraphQLContent(template(query, at: offset))
        if isNamed, query.lowercased().hasPrefix("query"), query.dropFirst(5).first?.isWhitespace == true {
            let name = query.dropFirst(5).trimmed.prefix { !$0.isWhitespace && !"({@".contains($0) }
            if !name.isEmpty { content.operationName = String(name) }
        }
        if let mark {
            let variables = renamed(text(lines[(mark + 1)...]), at: offset)
            content.variables = log.graphQLVariables(variables, at: lines[mark].offset)
        }
        request.body = .graphql(content)
    }

    // MARK: Files

    private typealias File = (path: String, isTemplate: Bool)

    /// `< path`, or `<@ path` for a file in which variables are filled in.
    private static func file(_ line: String) -> File? {
        guard line.hasPrefix("<"), !line.contains("{%") else { return nil }
        let mark = line.dropFirst().prefix { !$0.isWhitespace }
        let path = line[mark.endIndex...].trimmed
        guard mark.isEmpty || mark.hasPrefix("@"), !path.isEmpty, mark.endIndex < line.endIndex else { return nil }
        return (path, !mark.isEmpty)
    }

    private mutating func noteFile(_ file: File, at offset: Int) {
        if file.isTemplate {
            log.loss(offset, "<@", "the file is sent as it is; variables in it are not filled in")
        }
        log.notePath(at: offset)
    }

    private mutating func setParts(_ lines: [TextLine], _ boundary: String, of request: inout SavedRequest) {
        let offset = lines.first?.offset ?? 0
        var parts: [MultipartPart] = []
        for written in ForeignPart.parts(of: lines.map(\.text).joined(separator: "\r\n"), boundary: boundary) {
            guard let name = written.name, !name.isEmpty else {
                log.loss(offset, "multipart", "a part without a name is left out")
                continue
            }
            for header in written.headers where !["content-disposition", "content-type"].contains(header.name) {
                log.loss(offset, header.name.excerpted, "a header of a part is left out")
            }
            let type = written.header("content-type").map { template($0, at: offset) }
            let fileName = written.fileName.map { template($0, at: offset) }
            let content: MultipartPart.Content
            if let file = Self.file(String(written.content.trimming(while: \.isNewline))) {
                noteFile(file, at: offset)
                content = .file(template(file.path, at: offset))
            } else {
                content = .text(template(written.content, at: offset))
            }
            parts.append(MultipartPart(template(name, at: offset), content, contentType: type, fileName: fileName))
        }
        if parts.isEmpty { log.loss(offset, "multipart", "the body is not divided by its boundary; it has no parts") }
        request.body = .multipart(MultipartContent(parts))
    }
}
