#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A form of several parts, such as files (RFC 7578).
public struct MultipartForm: Sendable, Hashable {
    public struct Part: Sendable, Hashable {
        public var data: Data
        public var name: String
        public var mimeType: String?
        public var fileName: String?

        public init(data: Data, name: String, mimeType: String? = nil, fileName: String? = nil) {
            self.data = data
            self.name = name
            self.mimeType = mimeType
            self.fileName = fileName
        }

        public init(value: String, name: String) { self.init(data: Data(value.utf8), name: name) }

        /// Reads the file now. Its name is the last part of the path unless another is given.
        public init(fileURL: URL, name: String, mimeType: String? = nil, fileName: String? = nil) throws {
            self.init(
                data: try Data(contentsOf: fileURL), name: name, mimeType: mimeType ?? "application/octet-stream",
                fileName: fileName ?? fileURL.lastPathComponent)
        }
    }

    public var parts: [Part]
    public let boundary: String

    public init(parts: [Part], boundary: String = MultipartForm.randomBoundary()) {
        self.parts = parts
        self.boundary = boundary
    }

    public static func randomBoundary() -> String {
        let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return "ombi-" + digits.joined()
    }

    public var contentType: RequestHeaders.Value { .string("multipart/form-data; boundary=\(boundary)") }

    /// The form as it is sent.
    public var encoded: Data {
        var data = Data()
        for part in parts {
            data += Data("--\(boundary)\r\n\(Self.head(part))\r\n\r\n".utf8)
            data += part.data
            data += Data("\r\n".utf8)
        }
        return data + Data("--\(boundary)--\r\n".utf8)
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

extension BodyEncoder where Body == MultipartForm {
    /// An encoder for this form; the content type carries its boundary.
    public static func multipart(boundary: String) -> Self {
        Self(contentType: .string("multipart/form-data; boundary=\(boundary)")) { $0?.encoded }
    }
}
