#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A form of several parts, such as files (RFC 7578).
public struct MultipartForm: Sendable, Hashable {
    /// One field of a form, or one file.
    public struct Part: Sendable, Hashable {
        /// What the part holds: bytes in memory, or a stream that is read while it is sent.
        public enum Content: Sendable, Hashable {
            /// Bytes in memory.
            case data(Data)
            /// A stream, opened for each attempt.
            case stream(BodyStream)
        }

        /// What is sent.
        public var content: Content
        /// The name of the field. A quotation mark and line breaks are escaped.
        public var name: String
        /// Sent as the `Content-Type` of the part; nil sends none.
        public var mimeType: String?
        /// Sent as `filename`; nil sends none.
        public var fileName: String?

        /// A part of any content.
        public init(content: Content, name: String, mimeType: String? = nil, fileName: String? = nil) {
            self.content = content
            self.name = name
            self.mimeType = mimeType
            self.fileName = fileName
        }

        /// A part from bytes in memory.
        public init(data: Data, name: String, mimeType: String? = nil, fileName: String? = nil) {
            self.init(content: .data(data), name: name, mimeType: mimeType, fileName: fileName)
        }

        /// A field of text, as UTF-8.
        public init(value: String, name: String) { self.init(data: Data(value.utf8), name: name) }

        /// Looks at the file now and reads it while it is sent. Its name is the last part of the path unless another is
        /// given. Throws `UnreadableFile`.
        public init(fileURL: URL, name: String, mimeType: String? = nil, fileName: String? = nil) throws {
            self.init(
                content: .stream(try BodyStream(fileURL: fileURL)), name: name,
                mimeType: mimeType ?? "application/octet-stream", fileName: fileName ?? fileURL.lastPathComponent)
        }

        /// The bytes of the part; a stream is read for them. Throws `BodyStreamError`.
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

    /// In the order in which they are sent.
    public var parts: [Part]
    /// What stands between the parts. It must not occur in any of them.
    public let boundary: String

    /// A boundary of one's own has 1 to 70 characters (RFC 2046 §5.1.1).
    public init(parts: [Part], boundary: String = MultipartForm.randomBoundary()) {
        self.parts = parts
        self.boundary = boundary
    }

    /// "ombi-" and 128 random bits: no part can be expected to contain it.
    public static func randomBoundary() -> String {
        let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return "ombi-" + digits.joined()
    }

    /// The value of `Content-Type` that goes with this form; it names the boundary.
    public var contentType: RequestHeaders.Value { .string("multipart/form-data; boundary=\(boundary)") }

    /// The form as it is sent, whole; files are read for it. Throws `BodyStreamError`.
    public var encoded: Data { get throws { try stream.data } }

    /// The form as it is sent, read while it is sent. Goes with `contentType` in the header where it is a `bodyStream`.
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

    /// As browsers do it (HTML standard, multipart/form-data encoding).
    private static func quoted(_ text: String) -> String {
        var result = ""
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

/// As itself, read while it is sent, with its boundary in the content type.
extension MultipartForm: AutomaticBodyEncoding {
    public func asData() throws -> Data? { try encoded }
    public func encodedBody() -> EncodedBody? { EncodedBody(stream: stream, contentType: contentType) }
}
