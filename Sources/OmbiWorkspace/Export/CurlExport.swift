import OmbiCore
import OmbiDocument

/// Writes requests as commands of curl.
public enum CurlExport {
    /// Returns the command of a request as it is saved, with its templates in it.
    /// - Parameter environment: its host and its headers; nil shows the host as `{{host}}`.
    public static func shown(_ request: SavedRequest, in environment: Environment?) -> String {
        var line = CurlLine(method: request.method, url: url(of: request, host: environment?.host ?? "{{host}}"))
        let fields = request.headers.filter(\.enabled) + (environment?.headers(sentWith: request) ?? [])
        line.headers = fields.map { (plain($0.name), plain($0.value)) }
        let names = Set(line.headers.map { $0.name.lowercased() })
        if !names.contains("authorization") {
            switch request.authentication {
            case .basic(let basic): line.user = plain(basic.username) + ":" + plain(basic.password)
            case .bearer(let bearer): line.headers.append(("Authorization", "Bearer " + plain(bearer.token)))
            case .noAuthentication, nil: break
            }
        }
        if let (body, type) = content(of: request.body) {
            line.body = body
            if !names.contains("content-type") { line.headers.append(("Content-Type", type)) }
        }
        line.policy = request.policy ?? RequestPolicy()
        return line.text
    }

    fileprivate static func url(of request: SavedRequest, host: String) -> String {
        let text = request.path.prefix { $0 != "#" }
        let path = text.prefix { $0 != "?" }
        let written = path.count < text.count ? String(text.dropFirst(path.count + 1)) : nil
        var query = written.map { [parts($0, escaped: PercentEncoding.escapeWrittenQuery)] } ?? []
        query += request.query.filter(\.enabled).map {
            parts($0.name, escaped: PercentEncoding.escapeParameter) + "="
                + parts($0.value, escaped: PercentEncoding.escapeParameter)
        }
        let parameters = Dictionary(
            request.pathParameters.filter(\.enabled).map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        let filled = PathPattern(String(path)).parts.map { part in
            switch part {
            case .text(let text): parts(text, escaped: PercentEncoding.escapePath)
            case .parameter(let name): parameters[name].map { parts($0, escaped: PercentEncoding.escape) } ?? ":" + name
            }
        }.joined()
        let server =
            request.isAbsolute || filled.hasPrefix("{{") ? "" : host.hasSuffix("/") ? String(host.dropLast()) : host
        let slash = server.isEmpty || filled.isEmpty || filled.hasPrefix("/") ? "" : "/"
        return server + slash + filled + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func content(of body: SavedBody?) -> (text: String, type: String)? {
        switch body {
        case .json(let content): (JSONTemplateText.unquoted(plain(content.value).compact), JSONContent.note)
        case .text(let content): (plain(content.text), content.contentType.map(plain) ?? "text/plain; charset=utf-8")
        case .form(let content):
            (
                content.fields.filter(\.enabled).map {
                    parts($0.name, escaped: PercentEncoding.escapeForm) + "="
                        + parts($0.value, escaped: PercentEncoding.escapeForm)
                }.joined(separator: "&"), FormContent.note
            )
        case nil: nil
        }
    }

    private static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(plain(text))
        case .array(let elements): .array(elements.map(plain))
        case .object(let members): .object(members.map { JSONValue.Member(plain($0.key), plain($0.value)) })
        case .null, .bool, .number: value
        }
    }

    private static func plain(_ text: String) -> String { parts(text) { $0 } }

    /// Returns a text with its templates as they are, and the text between them escaped.
    private static func parts(_ text: String, escaped: (String) -> String) -> String {
        guard let parts = try? Template(text).parts else { return escaped(text) }
        return parts.map { part in
            switch part {
            case .text(let text): escaped(text)
            case .template(let template): template.description
            }
        }.joined()
    }
}

extension RunOrder {
    /// The command of curl for the request as it is saved, with its templates in it.
    public var shownCurl: String { CurlExport.shown(request, in: chosenEnvironment) }

    /// The URL of the request as it is saved, with its templates and its query.
    public var shownURL: String { CurlExport.url(of: request, host: chosenEnvironment?.host ?? "{{host}}") }

    var chosenEnvironment: Environment? { environment.flatMap(collection.environment(named:)) }
}

extension Session {
    /// Returns the command of a request with everything filled in, as it would be sent. Reads the secrets that it uses.
    /// - Parameter revealsSecrets: false masks them.
    public func curlCommand(for order: RunOrder, revealsSecrets: Bool = false) throws(ResolveError) -> String {
        let resolved = try resolve(order, sampleScope(of: order))
        let redact = { (text: String) in revealsSecrets ? text : resolved.redactor.redact(text) }
        var line = CurlLine(
            method: resolved.method,
            url: redact(resolved.host + resolved.path + (resolved.encodedQuery.map { "?" + $0 } ?? "")))
        line.headers = (resolved.headers.fields + resolved.additionalHeaders.fields).map {
            (redact($0.key.name), redact($0.value.text))
        }
        line.body = resolved.body.map { redact(String(decoding: $0, as: UTF8.self)) }
        line.policy = RequestPolicy(retries: resolved.retry.retries, backoff: resolved.retry.backoff)
        line.followsRedirects = true
        line.verifiesTLS = resolved.verifyTLS
        return line.text
    }
}
