/// The texts that complete a field, besides the names of templates, which complete any.
enum CompletionKind: Equatable, Sendable {
    case none
    case headerName
    case headerValue(of: String)
    /// A path whose segments may be parameters.
    case path
    /// The path of a file behind a text; any other text is completed by nothing.
    case file(after: String)
    /// A source of a secret, which may be a file.
    case secretSource
    case words([String])
    /// A query, by the place of the cursor in it.
    case graphQL(GraphQLSchema)
}

/// The candidates for one field: of its kind, and the names of templates.
struct CompletionSource: Equatable, Sendable {
    var kind = CompletionKind.none
    /// The names of templates with what they become.
    var variables: [FieldChoice] = []
    var choices: [FieldChoice] = []

    /// The list for a text at its cursor; nil where nothing completes it.
    /// - Parameters:
    ///   - isAsked: true where all candidates show although nothing is typed.
    ///   - listing: the folder that was read last.
    func list(for buffer: TextBuffer, cursor: Int, isAsked: Bool, _ listing: FolderListing?) -> CompletionList? {
        let start = buffer.range(ofLine: buffer.line(at: cursor)).lowerBound
        // A line may be megabytes long.
        if let name = Self.openTemplate(in: buffer.text(max(start, cursor - Self.maximumName)..<cursor)) {
            let isClosed = buffer.text(cursor..<min(cursor + 2, buffer.count)) == "}}"
            let suffix = isClosed ? "" : "}}"
            return list(String(name), cursor, variables, suffix: suffix, isNeeded: !isClosed)
        }
        if case .graphQL(let schema) = kind { return list(schema, for: buffer, cursor, isAsked: isAsked) }
        guard kind != .none, cursor <= Self.maximumText else { return nil }
        let before = buffer.text(start..<cursor)
        switch kind {
        case .none, .graphQL: return nil
        case .headerName, .headerValue, .words:
            guard cursor == buffer.count, isAsked || !before.isEmpty else { return nil }
            return list(before, cursor, choices)
        case .path:
            guard let name = Self.openParameter(in: before) else { return nil }
            return list(String(name), cursor, choices)
        case .file, .secretSource:
            if let path = openPath(in: before) { return listing.flatMap { list(path, cursor, $0) } }
            return kind == .secretSource ? list(before, cursor, choices) : nil
        }
    }

    private func list(
        _ typed: String, _ cursor: Int, _ candidates: [FieldChoice], suffix: String = "", isNeeded: Bool = false
    ) -> CompletionList? {
        CompletionList(
            typed, at: cursor - typed.utf8.count..<cursor, of: candidates, suffix: suffix, isNeeded: isNeeded)
    }

    private func list(
        _ schema: GraphQLSchema, for buffer: TextBuffer, _ cursor: Int, isAsked: Bool
    ) -> CompletionList? {
        guard cursor <= Self.maximumQuery, let found = buffer.read({ schema.completion(of: $0, at: cursor) }),
            isAsked || found.isInvited || !found.typed.isEmpty
        else { return nil }
        return CompletionList(buffer.text(found.typed), at: found.typed, of: found.choices)
    }

    /// The folder whose names complete the text; nil where it is no path.
    func folder(for text: String) -> String? {
        openPath(in: text).map(Self.folder)
    }

    /// In bytes.
    private static let maximumName = 200
    private static let maximumText = 2000
    private static let maximumQuery = 100_000

    // MARK: What is being typed

    /// The name behind braces that are not closed.
    static func openTemplate(in text: String) -> Substring? {
        guard let braces = text.lastRange(of: "{{") else { return nil }
        let escapes = text[..<braces.lowerBound].reversed().prefix { $0 == "\\" }.count
        let inside = text[braces.upperBound...]
        guard !inside.contains("}}") else { return nil }
        // An argument of a function is a name, too.
        let start = inside.lastIndex { $0 == "(" || $0 == "," }.map { inside.index(after: $0) }
        let name = inside[(start ?? inside.startIndex)...].drop { $0 == " " }
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_-.$".contains($0) }
        return isName && escapes % 2 == 0 ? name : nil
    }

    /// The name behind the colon that a segment of a path begins with.
    private static func openParameter(in text: String) -> Substring? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let isSegment = text[..<colon].last == "/" && text[..<colon].dropLast().last != "/"
        let name = text[text.index(after: colon)...]
        return isSegment && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } ? name : nil
    }

    private func openPath(in text: String) -> String? {
        switch kind {
        case .secretSource: text.hasPrefix("file ") ? String(text.dropFirst(5).drop { $0 == " " }) : nil
        case .file(let mark): text.hasPrefix(mark) && !text.contains(";") ? String(text.dropFirst(mark.count)) : nil
        case .none, .headerName, .headerValue, .path, .words, .graphQL: nil
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    // MARK: Files

    /// The names in a folder; hidden ones once a dot is typed.
    private func list(_ path: String, _ cursor: Int, _ listing: FolderListing) -> CompletionList? {
        let folder = Self.folder(of: path)
        guard listing.folder == folder else { return nil }
        let typed = String(path.dropFirst(folder.count))
        let entries = listing.entries.filter { typed.hasPrefix(".") == $0.name.hasPrefix(".") }
        let names = entries.map { FieldChoice($0.name + ($0.isFolder ? "/" : "")) }
        // A mark without a path names no file.
        let isNamed = typed.isEmpty ? !path.isEmpty || cursor == 0 : names.contains { $0.name == typed }
        return list(typed, cursor, names, isNeeded: !isNamed)
    }
}

extension String {
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        var index = endIndex
        while index > startIndex {
            index = self.index(before: index)
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
        }
        return nil
    }
}

/// The headers of requests that are typed by hand, most of them in the registry of IANA, and common values of some. The
/// most frequent come first.
enum HeaderChoices {
    static let names = [
        "Accept", "Authorization", "Content-Type", "Cookie", "User-Agent", "Accept-Encoding", "Accept-Language",
        "Cache-Control", "Connection", "Content-Disposition", "Content-Encoding", "Content-Language", "Date", "DNT",
        "Expect", "Forwarded", "From", "Host", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match",
        "If-Range",
        "If-Unmodified-Since", "Last-Event-ID", "Link", "Origin", "Pragma", "Prefer", "Priority",
        "Proxy-Authorization", "Range", "Referer", "TE", "Traceparent", "Tracestate", "Upgrade", "Via",
        "X-API-Key", "X-Correlation-ID", "X-CSRF-Token", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
        "X-HTTP-Method-Override", "X-Request-ID", "X-Requested-With",
    ]

    private static let mediaTypes = [
        "application/json", "application/xml", "application/x-www-form-urlencoded", "application/octet-stream",
        "application/problem+json", "application/merge-patch+json", "application/json-patch+json",
        "application/vnd.api+json", "application/graphql-response+json", "application/x-ndjson", "multipart/form-data",
        "text/plain", "text/html", "text/csv", "text/event-stream", "image/png", "image/jpeg",
    ]

    /// By the name in lower case.
    private static let values: [String: [String]] = [
        "accept": ["*/*"] + mediaTypes,
        "content-type": mediaTypes + ["text/plain; charset=utf-8"],
        "accept-encoding": ["gzip", "gzip, deflate, br", "identity", "br", "zstd"],
        "accept-language": ["en", "en-US,en;q=0.9", "de", "fr", "*"],
        "authorization": ["Bearer {{token}}", "Bearer ", "Basic "],
        "cache-control": ["no-cache", "no-store", "max-age=0", "only-if-cached", "no-transform"],
        "connection": ["keep-alive", "close"],
        "content-encoding": ["gzip", "br", "deflate", "zstd", "identity"],
        "expect": ["100-continue"],
        "if-match": ["*"], "if-none-match": ["*"],
        "pragma": ["no-cache"],
        "prefer": ["return=minimal", "return=representation", "respond-async", "wait=10"],
        "range": ["bytes=0-1023"],
        "te": ["trailers"],
        "upgrade": ["websocket", "h2c"],
        "x-http-method-override": ["PUT", "PATCH", "DELETE"],
        "x-requested-with": ["XMLHttpRequest"],
    ]

    /// Names that the collection uses come first.
    static func names(in collection: Collection) -> [FieldChoice] {
        var seen: Set<RequestHeaders.Key> = []
        let used = headers(in: collection).map(\.name).filter { !$0.isEmpty && seen.insert(.init($0)).inserted }
        let known = names.filter { seen.insert(.init($0)).inserted }
        return used.map { FieldChoice($0, note: "in this collection") } + known.map { FieldChoice($0) }
    }

    /// The values that the collection gives a header come first, but no literal credentials.
    static func values(of name: String, in collection: Collection) -> [FieldChoice] {
        let key = RequestHeaders.Key(name)
        var seen: Set<String> = []
        let used = headers(in: collection).filter { RequestHeaders.Key($0.name) == key }
            .filter { Credentials.masked($0) == $0.value && !$0.value.isEmpty && seen.insert($0.value).inserted }
        let known = (values[name.lowercased()] ?? []).filter { seen.insert($0).inserted }
        return used.map { FieldChoice($0.value, note: "in this collection") } + known.map { FieldChoice($0) }
    }

    private static func headers(in collection: Collection) -> [Field] {
        collection.requests.flatMap(\.headers) + collection.sharedHeaders
            + collection.environments.flatMap(\.additionalHeaders)
    }
}

extension CompletionSource {
    /// The candidates for a field of that kind in a collection.
    init(_ kind: CompletionKind, in workbench: Workbench, environment: Environment?) {
        self.kind = kind
        guard let collection = workbench.context?.collection else { return }
        variables = workbench.candidates(in: environment)
        switch kind {
        case .none, .file, .graphQL: break
        case .headerName: choices = HeaderChoices.names(in: collection)
        case .headerValue(let name): choices = HeaderChoices.values(of: name, in: collection)
        case .words(let words): choices = words.map { FieldChoice($0) }
        case .path:
            var seen: Set<String> = []
            let names = collection.requests.flatMap(\.pathParameterNames).filter { seen.insert($0).inserted }
            choices = names.map { FieldChoice($0, note: "in this collection") }
        case .secretSource:
            choices = [
                FieldChoice("env ", note: "a variable of the process environment"),
                FieldChoice("file ", note: "a text file beside the collection"),
                FieldChoice("command ", note: "the first line that a program writes"),
                FieldChoice("prompt ", note: "typed when it is first needed"),
                FieldChoice("keyring ", note: "an entry of the desktop's keyring"),
            ]
        }
    }
}
