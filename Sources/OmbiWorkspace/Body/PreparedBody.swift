import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body with its templates filled in: its bytes or its stream, and a text to show.
struct PreparedBody: Sendable, Equatable {
    var encoded: EncodedBody
    /// For commands: the text, or the files.
    var form: ExportedBody
    /// Shows a stream, with a line for each file; nil where the bytes are the text.
    private let outline: String?
    /// The bytes of a body that is sent compressed; nil for any other.
    private var plain: Data?
    /// The coding in which the body is sent; nil for none.
    private(set) var compression: RequestCompression?

    init(_ text: String, contentType: RequestHeaders.Value) {
        encoded = EncodedBody(data: Data(text.utf8), contentType: contentType)
        form = .text(text, contentType: contentType.text)
        outline = nil
    }

    init(_ form: ExportedBody, stream: BodyStream, contentType: RequestHeaders.Value, outline: String) {
        encoded = EncodedBody(stream: stream, contentType: contentType)
        self.form = form
        self.outline = outline
    }

    /// True for a text that is not what is sent.
    var namesFiles: Bool { outline != nil }

    /// True for a body that is a file, sent as its bytes are.
    var isFile: Bool { if case .file = form { true } else { false } }

    /// The body as text, in which files are named and not read.
    var text: String { outline ?? String(decoding: plain ?? encoded.data ?? Data(), as: UTF8.self) }

    /// Compresses a body in memory. Returns false where the library is missing.
    mutating func compress(by compression: RequestCompression) -> Bool {
        guard let data = encoded.data, let bytes = compression.compressed(data) else { return false }
        encoded = EncodedBody(data: bytes, contentType: encoded.contentType)
        (plain, self.compression) = (data, compression)
        return true
    }
}

/// Opens a file of a body, which is read while it is sent. The field names the file in an error.
typealias BodyOpener = (_ path: String, _ field: String) throws(ResolveError) -> BodyStream

extension BodyStream {
    /// `(./ada.png, 12345 bytes)`
    func outline(of path: String) -> String { "(\(path)\(length.map { ", \($0) bytes" } ?? ""))" }
}

/// The content of a body apart from its kind, as it is exported: with its templates, or with them filled in.
enum ExportedBody: Sendable, Equatable {
    case json(JSONValue)
    case text(String, contentType: String)
    /// Sent as `application/x-www-form-urlencoded`.
    case form([Field])
    case multipart([MultipartPart])
    case file(String, contentType: String)
}
