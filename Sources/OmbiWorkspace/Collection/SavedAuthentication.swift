import OmbiDocument

/// The credentials of a saved request. A request without any uses the environment's `Authorization` header.
public enum SavedAuthentication: Sendable, Equatable {
    case basic(BasicAuthentication)
    case bearer(BearerAuthentication)
    /// Sends no credentials, not even those of the environment. `"none"` in the file.
    case noAuthentication
}

/// A user name and a password (RFC 7617). Both may hold templates; the password should come from a secret.
public struct BasicAuthentication: Sendable, Equatable {
    public var username: String
    public var password: String
    public var unknown = UnknownMembers()

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

/// A token (RFC 6750), usually the template of a secret.
public struct BearerAuthentication: Sendable, Equatable {
    public var token: String

    public init(token: String) { self.token = token }
}

extension SavedAuthentication {
    static let keys = ["bearer", "basic"]
    private static let form =
        "write \"none\", { \"bearer\": \"…\" } or { \"basic\": { \"username\": …, \"password\": … } }"

    /// Reads the member `authentication` of a request; nil when it is absent or invalid.
    static func read(in request: ObjectReader) -> (SavedAuthentication, UnknownMembers)? {
        guard let value = request.value("authentication") else { return nil }
        if value.string == "none" { return (.noAuthentication, UnknownMembers()) }
        guard value.kind == .object, let object = ObjectReader(value),
            object.has("bearer") != object.has("basic")
        else {
            request.error("authentication", form)
            return nil
        }
        let unknown = object.unknown(besides: keys)
        if object.has("bearer") {
            return (.bearer(BearerAuthentication(token: object.requiredString("bearer"))), unknown)
        }
        return object.value("basic", as: BasicAuthentication.self).map { (.basic($0), unknown) }
    }

    func json(_ unknown: UnknownMembers) -> JSONValue {
        var writer = ObjectWriter()
        switch self {
        case .noAuthentication: return .string("none")
        case .bearer(let bearer): writer.add("bearer", text: bearer.token)
        case .basic(let basic): writer.add("basic", basic.json)
        }
        return writer.object(unknown)
    }
}

extension BasicAuthentication: JSONObjectConvertible {
    static let keys = ["username", "password"]

    init(reading object: ObjectReader) {
        self.init(username: object.requiredString("username"), password: object.requiredString("password"))
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("username", text: username)
        writer.add("password", text: password)
        return writer.object(unknown)
    }
}
