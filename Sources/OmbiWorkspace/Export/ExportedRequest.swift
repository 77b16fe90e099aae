/// A request apart from the tools that it is written for, with templates in its texts or with them filled in.
struct ExportedRequest: Sendable, Equatable {
    struct Row: Sendable, Equatable {
        var name: ExportText
        var value: ExportText
        /// For readers; empty for none.
        var description = ""
    }

    /// A parameter of the URL that is described.
    struct Parameter: Sendable, Equatable {
        var name: String
        var description: String
    }

    enum Credentials: Sendable, Equatable {
        case basic(ExportText, password: ExportText)
        case digest(ExportText, password: ExportText)
        case bearer(ExportText)
        /// A key in a cookie is among the headers.
        case key(Row, APIKeyAuthentication.Location)
    }

    enum Body: Sendable, Equatable {
        case text(ExportText)
        case form([Row])
        case multipart([Part])
        case file(ExportText)
    }

    /// A part of a form. The type and the name of a file are those that are sent.
    struct Part: Sendable, Equatable {
        var name: ExportText
        var text: ExportText?
        /// Nil for a text.
        var file: ExportText?
        var contentType: ExportText?
        var fileName: ExportText?
        /// For readers; empty for none.
        var description = ""
    }

    enum Proxy: Sendable, Equatable {
        /// The proxy of the variables of the process.
        case environment
        case none
        case url(ExportText)
    }

    var name: String
    var description = ""
    /// The names of its folders, the outermost first.
    var folders: [String] = []
    var method: RequestMethod
    /// With its query, and without the key that credentials add to it.
    var url: ExportText
    /// The described parameters of the path and the query.
    var parameters: [Parameter] = []
    /// With the type of the body, and without credentials.
    var headers: [Row] = []
    var credentials: Credentials?
    var body: Body?
    /// 0 follows none.
    var maximumRedirects = Connection().redirects.maximum
    var verifiesTLS = true
    /// The limit of one attempt.
    var timeout: Duration?
    var proxy = Proxy.environment
    /// True if runs of its folder omit it.
    var isDisabled = false
    /// The response of a run.
    var example: ExportedExample?
    /// Those that the file has.
    var examples: [SavedExample] = []
    /// A sentence for each part that no other tool is given.
    var omissions: [String] = []
}

extension ExportedRequest {
    var followsRedirects: Bool { maximumRedirects > 0 }

    /// The maximum of redirects; nil for the default of Ombi, and where none is followed.
    var redirectLimit: Int? {
        followsRedirects && maximumRedirects != Connection().redirects.maximum ? maximumRedirects : nil
    }

    /// The URL with a key in its query.
    var address: ExportText {
        guard case .key(let key, .query)? = credentials else { return url }
        let item = [key.name.encoded(.parameter), key.value.encoded(.parameter)].joined(separator: "=")
        return [url, item].joined(separator: url.literal.contains("?") ? "&" : "?")
    }

    /// The headers, including the one of a token or a key.
    var allHeaders: [Row] {
        switch credentials {
        case .bearer(let token): headers + [Row(name: ExportText(plain: "Authorization"), value: "Bearer " + token)]
        case .key(let key, .header): headers + [key]
        case .basic, .digest, .key, nil: headers
        }
    }

    /// The headers without `Transfer-Encoding`, which some libraries send next to the length of a whole body.
    var unchunkedHeaders: [Row] { allHeaders.filter { !$0.isNamed("transfer-encoding") } }

    /// The unchunked headers with one row per name: values of one name are joined by commas, as HTTP allows.
    var mergedHeaders: [Row] {
        var merged: [Row] = []
        for row in unchunkedHeaders {
            let name = row.name.templates.lowercased()
            if let index = merged.firstIndex(where: { $0.name.templates.lowercased() == name }) {
                merged[index].value = merged[index].value + ", " + row.value
            } else {
                merged.append(row)
            }
        }
        return merged
    }

    /// A sentence for the header that they lack.
    var unchunkedLosses: [String] {
        unchunkedHeaders.count < allHeaders.count ? ["the body is sent whole: Transfer-Encoding is left out"] : []
    }

    /// The body of anything but parts and files.
    var text: ExportText? {
        switch body {
        case .text(let text): text
        case .form(let rows):
            rows.map { [$0.name.encoded(.form), $0.value.encoded(.form)].joined(separator: "=") }.joined(separator: "&")
        case .multipart, .file, nil: nil
        }
    }

    var contentType: String? { headers.first { $0.isNamed("content-type") }?.value.plain }

    var texts: [ExportText] {
        var texts: [ExportText] = []
        var copy = self
        copy.forEachText { texts.append($0) }
        return texts
    }

    mutating func forEachText<Failure: Error>(_ visit: (inout ExportText) throws(Failure) -> Void) throws(Failure) {
        try visit(&url)
        try Self.forEach(&headers, visit)
        switch credentials {
        case .basic(var name, var password):
            try visit(&name)
            try visit(&password)
            credentials = .basic(name, password: password)
        case .digest(var name, var password):
            try visit(&name)
            try visit(&password)
            credentials = .digest(name, password: password)
        case .bearer(var token):
            try visit(&token)
            credentials = .bearer(token)
        case .key(let key, let location):
            var rows = [key]
            try Self.forEach(&rows, visit)
            credentials = .key(rows[0], location)
        case nil: break
        }
        try forEachTextOfBody(visit)
        if case .url(var text) = proxy {
            try visit(&text)
            proxy = .url(text)
        }
    }

    private mutating func forEachTextOfBody<Failure: Error>(
        _ visit: (inout ExportText) throws(Failure) -> Void
    ) throws(Failure) {
        switch body {
        case .text(var text):
            try visit(&text)
            body = .text(text)
        case .file(var path):
            try visit(&path)
            body = .file(path)
        case .form(var rows):
            try Self.forEach(&rows, visit)
            body = .form(rows)
        case .multipart(var parts):
            for index in parts.indices { try parts[index].forEachText(visit) }
            body = .multipart(parts)
        case nil: break
        }
    }

    private static func forEach<Failure: Error>(
        _ rows: inout [Row], _ visit: (inout ExportText) throws(Failure) -> Void
    ) throws(Failure) {
        for index in rows.indices {
            try visit(&rows[index].name)
            try visit(&rows[index].value)
        }
    }
}

extension ExportedRequest.Row {
    /// - Parameter name: in lower case.
    func isNamed(_ name: String) -> Bool { self.name.plain?.lowercased() == name }
}

extension ExportedRequest.Part {
    /// True for a file that is sent under its own name.
    var keepsFileName: Bool { fileName?.templates == file?.templates.split(separator: "/").last.map(String.init) }

    fileprivate mutating func forEachText<Failure: Error>(
        _ visit: (inout ExportText) throws(Failure) -> Void
    ) throws(Failure) {
        try visit(&name)
        let others: [WritableKeyPath<Self, ExportText?>] = [\.text, \.file, \.contentType, \.fileName]
        for part in others {
            guard var text = self[keyPath: part] else { continue }
            try visit(&text)
            self[keyPath: part] = text
        }
    }
}

/// The parts of a request that a tool can express; the others are losses.
struct ExportAbilities: OptionSet {
    let rawValue: Int

    static let digest = ExportAbilities(rawValue: 1)
    static let proxy = ExportAbilities(rawValue: 2)
    static let timeout = ExportAbilities(rawValue: 4)
    static let unverifiedTLS = ExportAbilities(rawValue: 8)
    /// Following no redirects.
    static let redirects = ExportAbilities(rawValue: 16)
    static let redirectLimit = ExportAbilities(rawValue: 32)
    /// Values that are escaped for their place.
    static let escaping = ExportAbilities(rawValue: 64)
    /// Functions of templates.
    static let functions = ExportAbilities(rawValue: 128)
    /// Forms as fields, which the tool escapes.
    static let fields = ExportAbilities(rawValue: 256)
    /// Keys for the query, which the tool escapes.
    static let queryKeys = ExportAbilities(rawValue: 512)
}

extension ExportedRequest {
    /// Returns a sentence for each part that a tool cannot express.
    func losses(besides abilities: ExportAbilities) -> [String] {
        var losses = omissions
        let add = { (ability: ExportAbilities, isUsed: Bool, text: String) in
            if isUsed, !abilities.contains(ability) { losses.append(text) }
        }
        if case .digest? = credentials { add(.digest, true, "its Digest authentication is left out") }
        add(.proxy, proxy != .environment, "its proxy is left out")
        add(.timeout, timeout != nil, "its timeout is left out")
        add(.unverifiedTLS, !verifiesTLS, "the certificate is not verified in Ombi; here it is")
        add(.redirects, !followsRedirects, "redirects are not followed in Ombi; here they may be")
        add(.redirectLimit, redirectLimit != nil, "its maximum of redirects is left out")
        var texts = texts
        if !abilities.contains(.fields), let text { texts.append(text) }
        if !abilities.contains(.queryKeys) { texts.append(address) }
        let values = texts.flatMap(\.values)
        let escaped = Self.names(values.filter { $0.encoding != .none && $0.function == nil })
        add(.escaping, !escaped.isEmpty, "not escaped for its place: \(escaped)")
        let functions = Self.names(values.filter { $0.function != nil })
        add(.functions, !functions.isEmpty, "computed by Ombi, a variable here: \(functions)")
        return losses
    }

    private static func names(_ values: [ExportValue]) -> String {
        var names: [String] = []
        for value in values where !names.contains(value.template) { names.append(value.template) }
        return names.joined(separator: ", ")
    }
}

/// The response that a page about a request shows.
struct ExportedExample: Sendable, Equatable {
    var status: Int
    var contentType: String
    /// The start of the body, JSON formatted; empty unless it is text.
    var text: String

    /// Longer texts are cut, because a page is for reading.
    private static let maximumLength = 4000

    init(_ response: TransportResponse) {
        self.init(
            status: response.statusCode ?? 0, contentType: response[.contentType]?.text ?? "",
            body: String(validating: response.body ?? Data(), as: UTF8.self) ?? "")
    }

    init(_ example: SavedExample) {
        self.init(
            status: example.status, contentType: example.contentType,
            body: example.file.map { "The body is in \($0)." } ?? example.body)
    }

    private init(status: Int, contentType: String, body: String) {
        (self.status, self.contentType) = (status, contentType)
        let json = contentType.contains("json") ? (try? JSONValue.parse(body)) : nil
        let whole = json?.text ?? body
        text = whole.count > Self.maximumLength ? String(whole.prefix(Self.maximumLength)) + "\n…" : whole
    }
}
