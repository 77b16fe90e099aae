import OmbiCore
import OmbiDocument

/// The certificate that identifies the client to a server.
public struct SavedCertificate: Sendable, Equatable {
    /// A PEM file, or a PKCS#12 file (`.p12`, `.pfx`), relative to the collection.
    public var file: String
    /// The PEM file of the key where the first has none.
    public var key: String?
    /// Decrypts the key; usually a template of a secret.
    public var password: String?
    public var unknown = UnknownMembers()

    public init(file: String, key: String? = nil, password: String? = nil) {
        self.file = file
        self.key = key
        self.password = password
    }

    /// No certificate, in the place of one that is inherited; `"none"` in the file.
    static let off = SavedCertificate(file: ConnectionText.none)

    var isOff: Bool { self == .off }

    var isPKCS12: Bool { [".p12", ".pfx"].contains { file.lowercased().hasSuffix($0) } }
}

extension SavedCertificate: JSONObjectConvertible {
    static let keys = ["file", "key", "password"]

    init(reading object: ObjectReader) {
        if !object.has("file") { object.missing("file") }
        self.init(
            file: object.optionalPath("file") ?? "", key: object.optionalPath("key"),
            password: object.string("password"))
        if key != nil, isPKCS12 { object.error("key", "a PKCS#12 file has its key in itself; remove this one") }
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("file", text: file)
        writer.add("key", text: key)
        writer.add("password", text: password)
        return writer.object(unknown)
    }
}
