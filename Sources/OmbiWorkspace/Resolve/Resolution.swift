import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fills in the fields of one request, and collects the secrets that it uses.
struct Resolution {
    struct Address {
        var host: String
        var hostSource: Provenance
        var path: String
        var query: [URLQueryItem]
        /// The query as the path writes it, which is sent so; nil with a template in it, and without a query.
        var writtenQuery: String?
        /// True for another host than the environment's.
        var isForeign: Bool
    }

    let request: SavedRequest
    let environment: Environment?
    var scope: VariableScope
    /// Credentials that were encoded from user name and password.
    private var encodedCredentials: [String] = []

    init(request: SavedRequest, environment: Environment?, scope: VariableScope) {
        self.request = request
        self.environment = environment
        self.scope = scope
    }

    var redactor: Redactor { Redactor(scope.revealed.sorted() + encodedCredentials) }

    func error(_ field: String, _ reason: String) -> ResolveError {
        ResolveError(request: request.name, field: field, reason: reason)
    }

    /// - Parameter plain: applied to the text between the templates.
    mutating func fill(
        _ text: String, _ field: String, plain: (String) -> String = { $0 }
    ) throws(ResolveError) -> String {
        do throws(TemplateError) { return try scope.fill(text, plain: plain) } catch {
            var failure = self.error(field, error.description)
            failure.missingCapture = error.missingCapture
            throw failure
        }
    }

    /// The enabled fields, names and values filled in.
    private mutating func filled(_ fields: [Field], _ kind: String) throws(ResolveError) -> [Field] {
        try Field.filled(fields, kind) { text, field throws(ResolveError) in try fill(text, field) }
    }

    mutating func query() throws(ResolveError) -> [URLQueryItem] {
        try filled(request.query, "query").map { URLQueryItem(name: $0.name, value: $0.value) }
    }

    mutating func body() throws(ResolveError) -> EncodedBody? {
        guard let content = request.body?.content else { return nil }
        let body = try content.prepare { text, field throws(ResolveError) in try fill(text, field) }
        try check(body.contentType, "body content type")
        return body
    }

    // MARK: Headers

    mutating func additionalHeaders() throws(ResolveError) -> RequestHeaders {
        guard let environment else { return [:] }
        let kind = "header of the environment \(environment.name)"
        var headers = try self.headers(of: environment.additionalHeaders, kind)
        if request.authentication == .noAuthentication { headers.removeValue(forKey: .authorization) }
        return headers
    }

    /// The headers of the request. One that is written out wins over those of authentication and body.
    mutating func headers(
        _ credentials: RequestAuthentication?, contentType: RequestHeaders.Value?
    ) throws(ResolveError) -> RequestHeaders {
        var headers = try self.headers(of: request.headers, "header")
        if let key = credentials?.headerKey, headers[key] == nil { headers[key] = credentials?.headerValue }
        if let contentType, headers[.contentType] == nil { headers[.contentType] = contentType }
        return headers
    }

    private mutating func headers(of fields: [Field], _ kind: String) throws(ResolveError) -> RequestHeaders {
        var headers = RequestHeaders()
        for field in try filled(fields, kind) {
            let place = "\(kind) \"\(field.name)\""
            guard HeaderCheck.isToken(field.name) else {
                throw error(place, HeaderCheck.nameForm)
            }
            let value = RequestHeaders.Value(field.value)
            try check(value, place)
            headers.append(value, forKey: .init(field.name))
        }
        return headers
    }

    private func check(_ value: RequestHeaders.Value?, _ place: String) throws(ResolveError) {
        guard let value, !HeaderCheck.isValue(value.text) else { return }
        throw error(place, "the value contains a line break or another control character")
    }

    mutating func credentials() throws(ResolveError) -> RequestAuthentication? {
        guard let saved = request.authentication?.credentials else { return nil }
        let place = "authentication \(type(of: saved).kind.rawValue)"
        let credentials = try saved.prepare { text, field throws(ResolveError) in try fill(text, field) }
        do throws(MalformedRequest) { try credentials.check() } catch { throw self.error(place, error.reason) }
        try check(credentials.headerValue, place)
        if case .basic = credentials, let encoded = credentials.headerValue?.text.split(separator: " ").last {
            encodedCredentials.append(String(encoded))
        }
        return credentials
    }
}
