import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request on its way from the file to the wire: fills in its fields one by one, and remembers the secrets it used.
struct Resolution {
    struct Address {
        var host: String
        var hostSource: Provenance
        var path: String
        var query: [URLQueryItem]
        /// It goes somewhere else than the environment's host.
        var isForeign: Bool
    }

    let request: SavedRequest
    let environment: Environment?
    var scope: VariableScope
    /// Credentials that were put together from secrets.
    private var credentials: [String] = []

    init(request: SavedRequest, environment: Environment?, scope: VariableScope) {
        self.request = request
        self.environment = environment
        self.scope = scope
    }

    var redactor: Redactor { Redactor(scope.revealed.sorted() + credentials) }

    func error(_ field: String, _ reason: String) -> ResolveError {
        ResolveError(request: request.name, field: field, reason: reason)
    }

    /// - Parameter plain: applied to what is written, and not to what is filled in.
    mutating func fill(
        _ text: String, _ field: String, plain: (String) -> String = { $0 }
    ) throws(ResolveError) -> String {
        do throws(TemplateError) { return try scope.fill(text, plain: plain) } catch {
            throw self.error(field, error.description)
        }
    }

    mutating func query() throws(ResolveError) -> [URLQueryItem] {
        try filled(request.query, "query").map { URLQueryItem(name: $0.name, value: $0.value) }
    }

    /// The enabled fields, names and values filled in.
    mutating func filled(_ fields: [Field], _ kind: String) throws(ResolveError) -> [Field] {
        var result: [Field] = []
        for field in fields where field.enabled {
            let place = "\(kind) \"\(field.name)\""
            result.append(Field(try fill(field.name, place), try fill(field.value, place)))
        }
        return result
    }

    // Headers

    mutating func additionalHeaders() throws(ResolveError) -> RequestHeaders {
        guard let environment else { return [:] }
        let kind = "header of the environment \(environment.name)"
        var headers = try self.headers(of: environment.additionalHeaders, kind)
        if request.authentication == .noAuthentication { headers.removeValue(forKey: .authorization) }
        return headers
    }

    /// Those of the request. A header that is written out is stronger than what authentication and body imply.
    mutating func headers(bodyType: String?) throws(ResolveError) -> RequestHeaders {
        var headers = try self.headers(of: request.headers, "header")
        let authorization = try authorization()
        if let authorization, headers[.authorization] == nil { headers[.authorization] = .init(authorization) }
        if let bodyType, headers[.contentType] == nil {
            try checkValue(bodyType, "body content type")
            headers[.contentType] = .init(bodyType)
        }
        return headers
    }

    private mutating func headers(of fields: [Field], _ kind: String) throws(ResolveError) -> RequestHeaders {
        var headers = RequestHeaders()
        for field in try filled(fields, kind) {
            let place = "\(kind) \"\(field.name)\""
            guard HeaderSyntax.isName(field.name) else {
                throw error(place, "a header name is made of letters, digits and !#$%&'*+-.^_`|~")
            }
            try checkValue(field.value, place)
            headers.append(.init(field.value), forKey: .init(field.name))
        }
        return headers
    }

    /// A line break in a value would begin another header (RFC 9110 §5.5).
    private func checkValue(_ value: String, _ place: String) throws(ResolveError) {
        guard HeaderSyntax.isValue(value) else {
            throw error(place, "the value holds a line break or another control character")
        }
    }

    private mutating func authorization() throws(ResolveError) -> String? {
        switch request.authentication {
        case nil, .noAuthentication: return nil
        case .bearer(let bearer):
            let token = try fill(bearer.token, "authentication bearer")
            try checkValue(token, "authentication bearer")
            return "Bearer " + token
        case .basic(let basic):
            let username = try fill(basic.username, "authentication username")
            let password = try fill(basic.password, "authentication password")
            guard !username.contains(":") else {
                throw error("authentication username", "a user name holds no ':' (RFC 7617 §2)")
            }
            let encoded = Data("\(username):\(password)".utf8).base64EncodedString()
            credentials.append(encoded)
            return "Basic " + encoded
        }
    }
}
