/// A form of several parts, such as files (RFC 7578).
public struct MultipartForm: Sendable, Hashable {
    /// A field of a form, or a file.
    public struct Part: Sendable, Hashable {
        /// The content of a part: bytes in memory, or a stream that is read while it is sent.
        public enum Content: Sendable, Hashable {
            /// Bytes in memory.
            case data(Data)
            /// A stream, opened for each attempt.
            case stream(BodyStream)
        }

        /// The content: bytes in memory, or a stream.
        public var content: Content
        /// The name of the field. Quotation marks and line breaks are escaped.
        public var name: String
        /// The `Content-Type` of the part; nil sends none.
        public var mimeType: String?
        /// The `filename` of the part; nil sends none.
        public var fileName: String?

        /// Creates a part with any content.
        public init(content: Content, name: String, mimeType: String? = nil, fileName: String? = nil) {
            self.content = content
            self.name = name
            self.mimeType = mimeType
            self.fileName = fileName
        }

        /// Creates a part from bytes in memory.
        public init(data: Data, name: String, mimeType: String? = nil, fileName: String? = nil) {
            self.init(content: .data(data), name: name, mimeType: mimeType, fileName: fileName)
        }

        /// Creates a text field, in UTF-8.
        public init(value: String, name: String) { self.init(data: Data(value.utf8), name: name) }

        /// Creates a part from a file, which is checked now and read while it is sent. Its name is the last component
        /// of the path by default. Throws `UnreadableFile`.
        public init(fileURL: URL, name: String, mimeType: String? = nil, fileName: String? = nil) throws {
            self.init(
                content: .stream(try BodyStream(fileURL: fileURL)), name: name,
                mimeType: mimeType ?? "application/octet-stream", fileName: fileName ?? fileURL.lastPathComponent)
        }

        /// The bytes of the part, for which a stream is read. Throws `BodyStreamError`.
        public var data: Data {
            get throws {
                switch content {
                case .data(let data): data
                case .stream(let stream): try stream.data
                }
            }
        }

        fileprivate var stream: BodyStream {
            switch content {
            case .data(let data): BodyStream(data: data)
            case .stream(let stream): stream
            }
        }
    }

    /// The parts in sending order.
    public var parts: [Part]
    /// The delimiter between the parts. It must not occur in any of them.
    public let boundary: String

    /// Creates a form. A custom boundary has 1 to 70 characters (RFC 2046 §5.1.1).
    public init(parts: [Part], boundary: String = MultipartForm.randomBoundary()) {
        self.parts = parts
        self.boundary = boundary
    }

    /// Returns "ombi-" and 128 random bits, which no part can be expected to contain.
    public static func randomBoundary() -> String {
        let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return "ombi-" + digits.joined()
    }

    /// The value of `Content-Type` for this form; it contains the boundary.
    public var contentType: RequestHeaders.Value { .string("multipart/form-data; boundary=\(boundary)") }

    /// The whole form as sent, for which files are read. Throws `BodyStreamError`.
    public var encoded: Data { get throws { try stream.data } }

    /// The form as a stream that is read while it is sent. As a `bodyStream`, it requires `contentType` in the header.
    public var stream: BodyStream {
        var pieces: [BodyStream] = []
        for part in parts {
            pieces.append(BodyStream(data: Data("--\(boundary)\r\n\(Self.head(part))\r\n\r\n".utf8)))
            pieces += [part.stream, BodyStream(data: Data("\r\n".utf8))]
        }
        pieces.append(BodyStream(data: Data("--\(boundary)--\r\n".utf8)))
        return BodyStream(pieces)
    }

    private static func head(_ part: Part) -> String {
        var text = "Content-Disposition: form-data; name=\"\(quoted(part.name))\""
        if let fileName = part.fileName { text += "; filename=\"\(quoted(fileName))\"" }
        if let mimeType = part.mimeType { text += "\r\nContent-Type: \(mimeType.filter { !$0.isNewline })" }
        return text
    }

    /// Escapes a name like browsers (HTML standard, multipart/form-data encoding).
    package static func quoted(_ text: String) -> String {
        var result = ""
        // CR LF is one character, and a quote with a mark behind it another one than a quote.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A form is streamed; its content type contains the boundary.
extension MultipartForm: AutomaticBodyEncoding {
    public func asData() throws -> Data? { try encoded }
    public func encodedBody() -> EncodedBody? { EncodedBody(stream: stream, contentType: contentType) }
}
