internal import OmbiBase

#if canImport(Crypto)
internal import Crypto
#else
#error("OmbiAuthentication needs the package trait Authentication: .package(…, traits: [\"Authentication\"])")
#endif

/// The hash functions that the schemes use.
package enum HashFunction: Sendable {
    case md5
    /// For names of files alone.
    case sha1
    case sha256

    /// Returns the hash in lowercase hexadecimal.
    func hex(_ text: String) -> String { hex(Data(text.utf8)) }

    package func hex(_ data: Data) -> String {
        switch self {
        case .md5: Data(Insecure.MD5.hash(data: data)).hex
        case .sha1: Data(Insecure.SHA1.hash(data: data)).hex
        case .sha256: Data(SHA256.hash(data: data)).hex
        }
    }

    /// Returns the hash of a stream, reading it to its end.
    func hex(_ stream: BodyStream) throws -> String {
        switch self {
        case .md5: try Data(Self.hash(stream, Insecure.MD5())).hex
        case .sha1: try Data(Self.hash(stream, Insecure.SHA1())).hex
        case .sha256: try Data(Self.hash(stream, SHA256())).hex
        }
    }

    private static func hash<Function: Crypto.HashFunction>(
        _ stream: BodyStream, _ function: Function
    ) throws -> Function.Digest {
        var function = function
        let reader = try stream.open()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try reader.read(into: buffer)
            guard count > 0 else { return function.finalize() }
            function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    static func sha256(_ text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// Returns the HMAC (RFC 2104) with SHA-256.
    static func authenticationCode(_ text: String, key: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
    }
}

extension TransportRequest {
    /// Returns the hash of the body as it will be sent. A stream is read on a thread of its own.
    func bodyHash(_ function: HashFunction) async throws -> String {
        guard method != .head, let stream = bodyStream else {
            return function.hex(method == .head ? Data() : body ?? Data())
        }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "ombi.hash").async {
                continuation.resume(with: Result { try function.hex(stream) })
            }
        }
    }
}

extension Data {
    /// Lowercase hexadecimal.
    var hex: String {
        String(unsafeUninitializedCapacity: count * 2) { text in
            for (place, byte) in enumerated() {
                text[place * 2] = Self.digit(byte >> 4)
                text[place * 2 + 1] = Self.digit(byte & 15)
            }
            return count * 2
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// base64url without padding (RFC 4648 §5).
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// A secret key that makes data unreadable and unchangeable for others: AES-256 in Galois/Counter Mode.
package struct SealingKey: Sendable {
    private let bytes: Data

    /// Creates a random key.
    package init() { bytes = RandomText.bytes(32) }

    /// Reads the text of a key; nil for any other.
    package init?(text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The key in base64, for the keyring.
    package var text: String { bytes.base64EncodedString() }

    /// Seals data under a name, without which it cannot be opened.
    package func seal(_ data: Data, as name: String) -> Data? {
        try? AES.GCM.seal(data, using: SymmetricKey(data: bytes), authenticating: Data(name.utf8)).combined
    }

    /// Returns sealed data; nil where the key or the name is another, or a byte has changed.
    package func open(_ sealed: Data, as name: String) -> Data? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        return try? AES.GCM.open(box, using: SymmetricKey(data: bytes), authenticating: Data(name.utf8))
    }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "sealing key" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Unguessable text from the system's random number generator.
enum RandomText {
    /// Returns 256 random bits as 43 characters of base64url.
    static func token() -> String { bytes(32).base64URL }

    static func bytes(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}

extension URL {
    /// The target in the request line: path and query, escaped as in the URL (RFC 9112 §3.2.1).
    var requestTarget: String { escapedPath + (query(percentEncoded: true).map { "?" + $0 } ?? "") }

    /// The escaped path; "/" if empty.
    var escapedPath: String {
        let path = path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// The scope of credentials: "https://api.example.com:443".
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
