/// The credentials of a saved request: one case and one kind for each scheme. A request without any inherits them.
package enum SavedAuthentication: Sendable, Equatable {
    case bearer(BearerAuthentication)
    case basic(BasicAuthentication)
    case apiKey(APIKeyAuthentication)
    case digest(DigestAuthentication)
    case oauth2(OAuth2Authentication)
    case aws(AWSAuthentication)
    case ntlm(NTLMAuthentication)
    case negotiate(NegotiateAuthentication)
    case netrc(NetrcAuthentication)
    /// Sends no credentials, not even inherited ones. `"none"` in the file.
    case noAuthentication

    /// The kinds of authentication in the order of the request pane. The raw value is the key in the file.
    package enum Kind: String, CaseIterable, Sendable {
        case bearer, basic, apiKey, digest, oauth2, aws, ntlm, negotiate, netrc
        case noAuthentication = "none"

        var credentials: (any SavedCredentials.Type)? {
            switch self {
            case .bearer: BearerAuthentication.self
            case .basic: BasicAuthentication.self
            case .apiKey: APIKeyAuthentication.self
            case .digest: DigestAuthentication.self
            case .oauth2: OAuth2Authentication.self
            case .aws: AWSAuthentication.self
            case .ntlm: NTLMAuthentication.self
            case .negotiate: NegotiateAuthentication.self
            case .netrc: NetrcAuthentication.self
            case .noAuthentication: nil
            }
        }
    }

    var credentials: (any SavedCredentials)? {
        switch self {
        case .bearer(let bearer): bearer
        case .basic(let basic): basic
        case .apiKey(let key): key
        case .digest(let digest): digest
        case .oauth2(let oauth2): oauth2
        case .aws(let aws): aws
        case .ntlm(let ntlm): ntlm
        case .negotiate(let negotiate): negotiate
        case .netrc(let netrc): netrc
        case .noAuthentication: nil
        }
    }
}

/// A kind of authentication: its value, and how it is read, written, prepared and edited.
protocol SavedCredentials: Sendable, Equatable {
    static var kind: SavedAuthentication.Kind { get }
    /// A remark for the picker of kinds.
    static var note: String { get }
    /// The syntax in the file, for error messages.
    static var form: String { get }
    static var schema: JSONValue { get }
    static var descriptors: [FieldDescriptor<Self>] { get }

    /// Creates empty credentials.
    init()
    /// Reads the member of the kind; nil, with an error in the log, if it is invalid.
    init?(reading object: ObjectReader)

    var json: JSONValue { get }
    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials

    var authentication: SavedAuthentication { get }
    var exported: ExportedCredentials { get }
    /// The labels of the empty parts without which a server cannot identify the user.
    var emptyParts: [String] { get }
    /// Nil for nothing.
    var machineNeed: MachineNeed? { get }
}

/// A thing of this machine that credentials are sent with, and that may be missing or open to others.
enum MachineNeed {
    /// A scheme of libcurl.
    case scheme(ConnectionAuthentication.Scheme)
    /// A file with passwords; empty for the usual one.
    case netrc(file: String)
}

/// Credentials that are an object in the file, with a table of its members.
protocol ObjectCredentials: SavedCredentials {
    static var members: Members<Self> { get }
    /// The members of the file that are not in the table: kept, with a warning.
    var unknown: UnknownMembers { get set }

    /// Logs problems with combinations of members.
    func check(_ object: ObjectReader)
}

extension ObjectCredentials {
    init?(reading object: ObjectReader) {
        guard let inner = object.object(Self.kind.rawValue) else { return nil }
        self.init()
        unknown = inner.read(Self.members, into: &self)
        check(inner)
    }

    var json: JSONValue { Self.members.json(self, unknown) }

    func check(_: ObjectReader) {}
}

extension SavedCredentials {
    var emptyParts: [String] {
        Self.descriptors.filter { $0.need(self) == .required && $0.read(self).isEmpty }.map(\.label)
    }

    var machineNeed: MachineNeed? { nil }

    /// The reason for which no run sends them, whatever their templates give; nil if there is none.
    fileprivate var refusal: String? {
        let prepared = try? prepare { text, _ in
            let parts = (try? Template(text))?.parts ?? []
            return parts.reduce(into: "") { if case .text(let text) = $1 { $0 += text } else { $0 += "x" } }
        }
        guard case .plain(let credentials)? = prepared else { return nil }
        do throws(MalformedRequest) { try credentials.check() } catch { return error.reason }
        // Base64 fits any header.
        if case .basic = credentials { return nil }
        return HeaderCheck.isValue(credentials.headerValue?.text ?? "") ? nil : HeaderCheck.valueReason
    }

    fileprivate static var authenticationDescriptors: [FieldDescriptor<SavedAuthentication>] {
        descriptors.map { descriptor in
            descriptor.nested {
                $0.credentials as? Self
            } set: {
                $0 = $1.authentication
            }
        }
    }
}

extension SavedAuthentication.Kind {
    /// A remark for the picker of kinds.
    package var note: String { credentials?.note ?? "no credentials at all" }

    /// The parts that are edited as one line each.
    package var descriptors: [FieldDescriptor<SavedAuthentication>] { credentials?.authenticationDescriptors ?? [] }
}

extension SavedAuthentication {
    /// Creates empty credentials of a kind.
    package init(_ kind: Kind) { self = kind.credentials?.init().authentication ?? .noAuthentication }

    /// The kinds to pick from, with what inherits.
    package static let choices =
        [FieldChoice("inherit", note: "those of the folder, the environment or the collection")]
        + Kind.allCases.map { FieldChoice($0.rawValue, note: $0.note) }

    package var kind: Kind { credentials.map { type(of: $0).kind } ?? .noAuthentication }

    /// The header that carries the credentials, before templates are filled in; nil for none.
    var headerKey: RequestHeaders.Key? {
        guard let credentials else { return nil }
        return try? credentials.prepare { text, _ in text }.headerKey
    }
}

extension SavedAuthentication {
    private static let kinds = Kind.allCases.filter { $0.credentials != nil }
    private static let keys = JSONKeys(kinds.map(\.rawValue))

    /// `write "inherit", "none", { "bearer": "…" } or { "basic": … }`
    private static var form: String {
        let forms = ["\"inherit\"", "\"none\""] + kinds.compactMap { $0.credentials?.form }
        return "write " + forms.dropLast().joined(separator: ", ") + " or " + (forms.last ?? "")
    }

    /// Reads the member `authentication`; nil when it inherits, is absent or invalid.
    static func read(in request: ObjectReader) -> (SavedAuthentication, UnknownMembers)? {
        guard let value = request.value("authentication") else { return nil }
        if value.string == "inherit" { return nil }
        if value.string == "none" { return (.noAuthentication, UnknownMembers()) }
        guard value.kind == .object, let object = ObjectReader(value), let kind = Self.kind(in: object) else {
            return request.refuse("authentication", form)
        }
        let unknown = object.unknown(besides: keys)
        let errors = object.log.errorCount
        guard let credentials = kind.credentials?.init(reading: object) else { return nil }
        if errors == object.log.errorCount {
            let place = object.value(kind.rawValue)?.offset ?? value.offset
            // Not an error, as new credentials are filled in last.
            for part in credentials.emptyParts {
                object.log.warning(at: place, "\"authentication\": the \(part) is empty")
            }
            if credentials.emptyParts.isEmpty, let reason = credentials.refusal {
                object.log.warning(at: place, "\"authentication\": \(reason)")
            }
            credentials.authentication.checkSupport(object.log, at: place)
        }
        return (credentials.authentication, unknown)
    }

    /// Logs a warning for credentials that this system cannot negotiate, and for those that others can read.
    private func checkSupport(_ log: ProblemLog, at offset: Int) {
        switch credentials?.machineNeed {
        case .scheme(let scheme): log.check(scheme: scheme, at: offset)
        case .netrc(let file): log.check(netrc: file, at: offset)
        case nil: break
        }
    }

    /// Returns the kind of the credentials in an object; nil for none or several.
    private static func kind(in object: ObjectReader) -> Kind? {
        let bits = object.bits(of: keys)
        return bits.nonzeroBitCount == 1 ? kinds[bits.trailingZeroBitCount] : nil
    }

    /// The JSON Schema of the member `authentication`, with a choice for each kind.
    static var schema: JSONValue {
        let words: [JSONValue] = [
            ["const": "inherit", "description": "Those of the level above, as by default."],
            ["const": "none", "description": "No credentials, not even inherited ones."],
        ]
        let objects = kinds.map { kind -> JSONValue in
            let value = JSONValue.Member(kind.rawValue, kind.credentials?.schema ?? .object([]))
            return ["type": "object", "required": .strings([kind.rawValue]), "properties": .object([value])]
        }
        return [
            "description": .string(
                "The credentials of a request, or of the requests below this level; inherited by default: from the nearest "
                    + "folder, then the environment, then the collection."),
            "oneOf": .array(words + objects),
        ]
    }

    func json(_ unknown: UnknownMembers) -> JSONValue {
        guard let credentials else { return .string("none") }
        var writer = ObjectWriter()
        writer.add(kind.rawValue, credentials.json)
        return writer.object(unknown)
    }
}
