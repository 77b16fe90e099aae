import OmbiCore
import OmbiWorkspace

/// The kinds of authentication that the request pane offers, and the fields of each.
enum AuthenticationKind: String, CaseIterable, Sendable {
    case inherit, bearer, basic, none

    init(_ authentication: SavedAuthentication?) {
        self =
            switch authentication {
            case nil: .inherit
            case .bearer: .bearer
            case .basic: .basic
            case .noAuthentication: .none
            }
    }

    var note: String {
        switch self {
        case .inherit: "the headers of the environment"
        case .bearer: "a token"
        case .basic: "user name and password"
        case .none: "no credentials at all"
        }
    }

    /// The value of a request that has just been given this kind.
    var empty: SavedAuthentication? {
        switch self {
        case .inherit: nil
        case .none: .noAuthentication
        case .bearer: .bearer(BearerAuthentication(token: ""))
        case .basic: .basic(BasicAuthentication(username: "", password: ""))
        }
    }

    var fields: [RequestField] {
        switch self {
        case .inherit, .none: []
        case .bearer: [.token]
        case .basic: [.username, .password]
        }
    }
}

extension RequestField {
    fileprivate static let token = RequestField("authentication.bearer", label: "token") {
        if case .bearer(let bearer) = $0.authentication { bearer.token } else { "" }
    } write: {
        $0.authentication = .bearer(BearerAuthentication(token: $1))
    }

    fileprivate static let username = basic("username", \.username, partner: { password })
    fileprivate static let password = basic("password", \.password)

    private static func basic(
        _ label: String, _ part: WritableKeyPath<BasicAuthentication, String> & Sendable,
        partner: (@Sendable () -> RequestField)? = nil
    ) -> RequestField {
        RequestField("authentication.basic.\(label)", label: label, partner: partner) {
            if case .basic(let basic) = $0.authentication { basic[keyPath: part] } else { "" }
        } write: { request, text in
            guard case .basic(var basic) = request.authentication else { return }
            basic[keyPath: part] = text
            request.authentication = .basic(basic)
        }
    }
}

extension SavedRequest {
    mutating func setAuthenticationKind(_ kind: AuthenticationKind) {
        if kind != AuthenticationKind(authentication) { authentication = kind.empty }
    }
}
