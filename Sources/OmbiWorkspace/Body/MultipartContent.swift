import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Texts and files, sent as `multipart/form-data`. Files are read while they are sent.
public struct MultipartContent: Sendable, Equatable {
    public var parts: [MultipartPart]

    public init(_ parts: [MultipartPart]) { self.parts = parts }
}

extension MultipartContent: BodyContent {
    static let kind = SavedBody.Kind.multipart
    static let note = "multipart/form-data, with files"
    static let namesFiles = true

    init(reading object: ObjectReader) { self.init(object.list("multipart", of: MultipartPart.self)) }

    init(text: String) { self.init([]) }

    func write(to writer: inout ObjectWriter) { writer.add("multipart", .array(parts.map(\.json))) }

    var body: SavedBody { .multipart(self) }

    var form: ExportedBody { .multipart(parts.filter(\.enabled)) }

    var rows: [Field]? {
        get { parts.map(\.row) }
        set { parts = (newValue ?? []).map(MultipartPart.init(row:)) }
    }

    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody {
        var form = MultipartForm(parts: [])
        var outline = form
        var filled: [MultipartPart] = []
        for part in parts where part.enabled {
            filled.append(try part.filled(fill))
            let (sent, shown) = try filled[filled.count - 1].prepare(open)
            form.parts.append(sent)
            outline.parts.append(shown)
        }
        let text = (try? outline.encoded).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return PreparedBody(
            .multipart(filled), stream: form.stream, contentType: form.contentType, outline: text)
    }
}
