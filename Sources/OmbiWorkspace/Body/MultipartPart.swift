import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A field of a multipart form: a text, or a file.
public struct MultipartPart: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        case text(String)
        /// A path relative to the folder of the collection; `~/` is the home folder.
        case file(String)
    }

    public var name: String
    public var content: Content
    /// Nil sends none for a text, and the type of the extension for a file; empty sends none for a file.
    public var contentType: String?
    /// Nil sends none for a text, and the last component of its path for a file; empty sends none for a file.
    public var fileName: String?
    /// A disabled part stays in the file and is not sent.
    public var enabled: Bool
    public var unknown = UnknownMembers()

    /// The type and the name of a file that is sent without them.
    static let absent = ""

    public init(
        _ name: String, _ content: Content, contentType: String? = nil, fileName: String? = nil, enabled: Bool = true
    ) {
        self.name = name
        self.content = content
        self.contentType = contentType
        self.fileName = fileName
        self.enabled = enabled
    }
}

extension MultipartPart: JSONObjectConvertible {
    static let keys = ["name", "value", "file", "contentType", "fileName", "enabled"]

    init(reading object: ObjectReader) {
        let isFile = object.has("file")
        if isFile == object.has("value") {
            object.log.error(
                at: object.offset, "a part has a \"value\" or a \"file\"" + (isFile ? ", not both" : ", found neither"))
        }
        self.init(
            object.name("name"), isFile ? .file(object.path("file")) : .text(object.string("value") ?? ""),
            contentType: object.string("contentType"), fileName: object.string("fileName"),
            enabled: object.bool("enabled") ?? true)
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        switch content {
        case .text(let text): writer.add("value", text: text)
        case .file(let path): writer.add("file", text: path)
        }
        writer.add("contentType", text: contentType)
        writer.add("fileName", text: fileName)
        writer.add("enabled", enabled ? nil : .bool(false))
        return writer.object(unknown)
    }
}

extension MultipartPart {
    func filled(_ fill: TemplateFill) throws(ResolveError) -> MultipartPart {
        let place = "part \"\(name)\""
        var part = self
        part.name = try fill(name, place)
        part.contentType = try contentType.map { text throws(ResolveError) in try fill(text, place) }
        part.fileName = try fileName.map { text throws(ResolveError) in try fill(text, place) }
        switch content {
        case .text(let text): part.content = .text(try fill(text, place))
        case .file(let path): part.content = .file(try fill(path, place))
        }
        return part
    }

    /// Returns the part as it is sent, and one to show, in which the file is named.
    func prepare(_ open: BodyOpener) throws(ResolveError) -> (sent: MultipartForm.Part, shown: MultipartForm.Part) {
        switch content {
        case .text(let text):
            let part = MultipartForm.Part(data: Data(text.utf8), name: name, mimeType: contentType, fileName: fileName)
            return (part, part)
        case .file(let path):
            let stream = try open(path, "part \"\(name)\"")
            let (type, last) = (contentType ?? FileType.named(path), path.split(separator: "/").last.map(String.init))
            let sent = MultipartForm.Part(
                content: .stream(stream), name: name, mimeType: type == Self.absent ? nil : type,
                fileName: fileName == Self.absent ? nil : fileName ?? last)
            var shown = sent
            shown.content = .data(Data(stream.outline(of: path).utf8))
            return (sent, shown)
        }
    }
}
