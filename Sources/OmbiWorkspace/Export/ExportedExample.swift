import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response that a page about a request shows.
struct ExportedExample: Sendable, Equatable {
    var status: Int
    var contentType: String
    /// The start of the body, JSON spread over lines; empty for one that is no text.
    var text: String

    /// A page is read: what is longer is cut.
    private static let maximumLength = 4000

    init(_ response: TransportResponse) {
        self.init(
            status: response.statusCode ?? 0, contentType: response[.contentType]?.text ?? "",
            body: String(validating: response.body ?? Data(), as: UTF8.self) ?? "")
    }

    init(_ example: SavedExample) {
        self.init(
            status: example.status, contentType: example.contentType,
            body: example.file.map { "The body is in \($0)." } ?? example.body)
    }

    private init(status: Int, contentType: String, body: String) {
        (self.status, self.contentType) = (status, contentType)
        let json = contentType.contains("json") ? (try? JSONValue.parse(body)) : nil
        let whole = json?.text ?? body
        text = whole.count > Self.maximumLength ? String(whole.prefix(Self.maximumLength)) + "\n…" : whole
    }
}
