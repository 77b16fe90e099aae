/// A request as developer tools copy it for JavaScript, `fetch(…)`, and for PowerShell, `Invoke-WebRequest`. It becomes one
/// as that of a recording does: the headers of the browser are left out.
struct CopiedRequest {
    typealias Row = (name: String, value: String)

    var method = "GET"
    var url = ""
    var headers: [Row] = []
    var cookies: [Row] = []
    var body: String?
    /// In bytes of the text.
    var offset: Int

    static func recognizes(_ text: some StringProtocol) -> Bool {
        let start = text.drop(while: \.isWhitespace)
        return (scripts + commands).contains { start.hasPrefix($0) }
    }

    private static let scripts = ["fetch(", "await fetch("]
    private static let commands = [
        "Invoke-WebRequest ", "Invoke-RestMethod ", "$session = New-Object Microsoft.PowerShell.Commands.",
    ]

    static func read(_ text: String) throws(ImportError) -> ImportedRequests {
        var log = ImportLog(Array(text.utf8))
        let start = CurlImport.withoutComments(text)
        var copies: [CopiedRequest]
        if scripts.contains(where: { start.hasPrefix($0) }) {
            copies = inScript(text, &log)
        } else {
            var reader = WebRequestReader(Array(text.utf8), log)
            copies = reader.read()
            log = reader.log
        }
        copies.removeAll { $0.url.isEmpty }
        var reader = HARReader(log: log)
        for copy in copies {
            let value = try copy.tree.value(log)
            reader.add(value, of: value)
        }
        let requests = Collection(name: "copied", items: reader.items).requests
        guard !requests.isEmpty else { throw log.error(0, "there is no request with a URL here") }
        for header in requests.flatMap(\.headers)
        where !SecretDetector.find(in: header.value, named: header.name).isEmpty {
            reader.log.remark(0, header.name, ImportNote.staying)
        }
        return ImportedRequests(requests: requests, notes: reader.log.notes)
    }

    /// The request of a recording.
    private var tree: ForeignTree {
        let text = { (text: String) in ForeignTree(text, at: offset) }
        let rows = { (rows: [Row]) in
            ForeignTree(
                .list(rows.map { ForeignTree(at: offset, ("name", text($0.name)), ("value", text($0.value))) }),
                at: offset)
        }
        let post = body.map { ForeignTree(at: offset, ("text", text($0))) }
        return ForeignTree(
            at: offset, ("method", text(method)), ("url", text(url)), ("headers", rows(headers)),
            ("cookies", rows(cookies)), ("postData", post))
    }

    // MARK: JavaScript

    /// The calls of `fetch` in a script, which is not run.
    private static func inScript(_ text: String, _ log: inout ImportLog) -> [CopiedRequest] {
        let tokens = ScriptToken.tokens(of: text)
        let starts = lineStarts(of: text)
        var copies: [CopiedRequest] = []
        for index in tokens.indices where tokens[index].kind == .word && tokens[index].text == "fetch" {
            let offset = starts[min(max(tokens[index].line - 1, 0), starts.count - 1)]
            var cursor = ScriptCursor(tokens[(index + 1)...], [:])
            guard let copy = call(&cursor, at: offset, &log) else {
                log.loss(offset, "fetch", "left out: only a whole URL and options that are plain texts are read")
                continue
            }
            copies.append(copy)
        }
        return copies
    }

    /// In bytes.
    private static func lineStarts(of text: String) -> [Int] {
        var (starts, last, offset) = ([Int](), text.startIndex, 0)
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            offset += text.utf8.distance(from: last, to: line.startIndex)
            last = line.startIndex
            starts.append(offset)
        }
        return starts
    }

    /// `("https://…", { "method": "POST" })`
    private static func call(
        _ cursor: inout ScriptCursor, at offset: Int, _ log: inout ImportLog
    ) -> CopiedRequest? {
        guard cursor.take("("), let url = cursor.text(), url.contains("://") else { return nil }
        var copy = CopiedRequest(offset: offset)
        copy.url = url
        if cursor.take(","), cursor.rest.first?.text != ")" {
            guard let options = cursor.literal(), case .object = options else { return nil }
            copy.take(options)
            if options["credentials"]?.stringValue == "include" {
                log.remark(offset, "credentials", "the cookies of the browser are not in the copy")
            }
        }
        _ = cursor.take(",")
        return cursor.take(")") ? copy : nil
    }

    private mutating func take(_ options: JSONValue) {
        method = options["method"]?.stringValue ?? method
        switch options["body"] {
        case nil, .null?: break
        case .string(let text)?: body = text
        case let value?: body = value.compact
        }
        guard case .object(let members)? = options["headers"] else { return }
        headers = members.map { (name: $0.key, value: $0.value.stringValue ?? $0.value.compact) }
    }
}
