/// Reads files of Hurl: each entry is a request, with what it expects of its response.
enum HurlImport {
    /// Returns true for a text that begins with a request, and has a response or a section. Where the name of the file
    /// says so, a request or a comment is enough: a request alone is one of `.http` files, too, and sent in another way.
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard file.document == nil else { return false }
        let lines = TextLine.lines(of: file.bytes)
        let isNamed = file.path.lowercased().hasSuffix(".hurl")
        guard let first = lines.first(where: { !$0.isBlank && !$0.isComment }) else {
            return isNamed && lines.contains { $0.isComment }
        }
        guard HurlLine.request(first.text) != nil else { return false }
        return isNamed || lines.contains { HurlLine.response($0.text) != nil || HurlLine.section($0.text) != nil }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        var reader = HurlReader(TextLine.lines(of: file.bytes), log: ImportLog(file.bytes))
        reader.read()
        guard !reader.requests.isEmpty else { throw reader.log.error(0, "there is no request in this file") }
        var collection = Collection(name: ForeignText.name("", or: file.name))
        collection.items = reader.requests.map(CollectionItem.request).withUniqueNames
        collection.variables = reader.variables + reader.samples
        // Hurl keeps cookies, and follows redirects only where it is told to.
        collection.connection = SavedConnection {
            $0.cookies = true
            $0.maximumRedirects = 0
        }
        return Imported(collection, processSecrets: reader.processSecrets).noted(reader.log)
    }
}

extension TextLine {
    fileprivate var isComment: Bool { text.drop { $0 == " " || $0 == "\t" }.hasPrefix("#") }
}

/// Reads the entries of a file, line by line.
struct HurlReader {
    var log: ImportLog
    private(set) var requests: [SavedRequest] = []
    /// The variables of all entries.
    private(set) var variables: [Variable] = []
    /// Fixed values in place of computed ones.
    var samples: [Variable] = []
    /// The variables of the process environment, by the names of the secrets.
    var processSecrets: [String: String] = [:]
    /// The options of the entry that curl has, too, with their offsets.
    var curlOptions: [(words: [String], offset: Int)] = []
    /// The region and the service that signatures of AWS name, with their offset.
    var signature: (region: String, service: String, offset: Int)?
    /// True for an entry that follows redirects; nil where it says nothing of them.
    var followsRedirects: Bool?
    /// The number of redirects that are followed, if any are.
    var maximumRedirects = 50
    private var lines: ArraySlice<TextLine>
    /// The comment above the next entry.
    private var title = ""

    init(_ lines: [TextLine], log: ImportLog) {
        self.lines = lines[...]
        self.log = log
    }

    mutating func read() {
        while let line = lines.popFirst() {
            if line.isBlank {
                title = ""
            } else if line.isComment {
                // The first line names it, the others say more.
                if title.isEmpty { title = ForeignText.heading(line.comment ?? "") }
            } else if let (method, url) = HurlLine.request(line.text) {
                entry(method, url, at: line.offset)
            } else {
                log.loss(line.offset, line.text.excerpt(30), "left out: this line is no request")
            }
        }
        shareVariables()
    }

    /// Gives the later entries the variables of the earlier ones, as Hurl does: one that never changes is that of the file.
    private mutating func shareVariables() {
        var values: [String: Set<String>] = [:]
        for variable in requests.flatMap(\.variables) { values[variable.name, default: []].insert(variable.value) }
        var known: [Variable] = []
        for index in requests.indices {
            for variable in requests[index].variables {
                if !known.contains(where: { $0.name == variable.name }), values[variable.name]?.count == 1 {
                    variables.append(variable)
                }
                known.removeAll { $0.name == variable.name }
                known.append(variable)
            }
            requests[index].variables = known.filter { values[$0.name]?.count != 1 }
            let captured = requests[index].captures.map(\.name)
            known.removeAll { values[$0.name]?.count != 1 && captured.contains($0.name) }
        }
    }

    private mutating func entry(_ method: String, _ url: String, at offset: Int) {
        var request = SavedRequest(name: "", path: "")
        request.method = RequestMethod.imported(method, &log, at: offset)
        let address = renamed(url, at: offset)
        log.noteEscapes(inQuery: ForeignText.split(address).query ?? "", at: offset)
        request.setAddress(address, hasParameters: false, &log, at: offset)
        let path = CurlAddress(request.path).path
        request.name = ForeignText.name(title, or: "\(method) \(path.isEmpty ? "/" : path)")
        title = ""
        var body: [TextLine] = []
        var status: String?
        // Headers and sections of the request, its body, the response with its headers and sections.
        var section = ""
        while let line = lines.first, HurlLine.request(line.text) == nil {
            // A comment above the next entry is its title; of any other, no line is one.
            if line.isComment, body.isEmpty || status != nil {
                if isTitle { break }
                lines = lines.drop(while: \.isComment)
                continue
            }
            lines.removeFirst()
            if status == nil, let code = HurlLine.response(line.text) {
                (status, section) = (code, "")
            } else if let name = HurlLine.section(line.text) {
                section = name
            } else if status == nil, !body.isEmpty || isBody(line, section) {
                body += [line] + takeFenced(behind: line)
            } else if !line.isBlank, !line.isComment {
                if isBody(line, section), status != nil {
                    takeBody(line, of: &request)
                } else {
                    add(line, in: section, isResponse: status != nil, to: &request)
                }
            }
        }
        setBody(body, of: &request)
        applyRedirects(to: &request)
        applyCurlOptions(to: &request)
        setStatus(status, of: &request, at: offset)
        requests.append(request)
    }

    /// True for a comment that the next entry follows.
    private var isTitle: Bool {
        let next = lines.first { !$0.isComment }
        return next.map { HurlLine.request($0.text) != nil } ?? false
    }

    private func isBody(_ line: TextLine, _ section: String) -> Bool {
        let text = line.text.trimmed
        // A row and a header may begin with a template.
        if text.hasPrefix("{{"), !section.isEmpty || HurlLine.pair(text) != nil { return false }
        if ["{", "[", "<", "`", "\""].contains(where: { text.hasPrefix($0) }) { return true }
        return ["file,", "base64,", "hex,"].contains { text.hasPrefix($0) }
    }

    /// Takes the lines up to the mark that ends a text between two of three backticks: they may be like any others.
    /// - Parameter isInside: true for a mark behind other words.
    mutating func takeFenced(behind line: TextLine, isInside: Bool = false) -> [TextLine] {
        let marks = line.text.ranges(of: "```")
        guard marks.count == 1 else { return [] }
        // One in quotes is a part of a text.
        let isMark = isInside && !line.text[marks[0].upperBound...].contains { "\"/#".contains($0) }
        guard isMark || line.text.trimmed.hasPrefix("```") else { return [] }
        let end = lines.firstIndex { $0.text.contains("```") }.map { $0 + 1 } ?? lines.endIndex
        let taken = Array(lines[..<end])
        lines.removeFirst(taken.count)
        return taken
    }

    /// Takes the body that a response has to have.
    private mutating func takeBody(_ line: TextLine, of request: inout SavedRequest) {
        var text = ([line] + takeFenced(behind: line)).map(\.text).joined(separator: "\n")
        var isBehindComment = false
        while let next = lines.first, HurlLine.request(next.text) == nil, HurlLine.section(next.text) == nil {
            if next.isComment, !isBehindComment, isTitle { break }
            isBehindComment = next.isComment
            text += "\n" + next.text
            lines.removeFirst()
        }
        guard let body = Self.expectation(ofBody: text) else {
            return log.loss(line.offset, "body", "the body that the response has to have is left out")
        }
        request.expect = request.expect ?? Expectation()
        request.expect?.body.append(body)
    }

    /// Hurl takes any status where it is told none. Assertions on the status narrow that.
    private mutating func setStatus(_ status: String?, of request: inout SavedRequest, at offset: Int) {
        var expect = request.expect ?? Expectation()
        if let code = status.flatMap({ StatusPattern($0) }) {
            expect.status = [code]
        } else if expect.status.isEmpty {
            if let status, status != "*" { log.loss(offset, "HTTP \(status)", "no server sends this status") }
            expect.status = Self.statuses
        }
        request.expect = expect
    }
}
