import OmbiCore
import OmbiWorkspace

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
        case .none, .file: break
        case .headerName: choices = HeaderChoices.names(in: collection)
        case .headerValue(let name): choices = HeaderChoices.values(of: name, in: collection)
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
