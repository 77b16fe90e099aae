import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bodies of recorded requests: a text, or its parameters.
extension HARReader {
    mutating func body(_ post: ForeignValue?, of request: inout SavedRequest) {
        guard let post, post.kind == .object else { return }
        let header = request.headers.last { $0.name.lowercased() == "content-type" }?.value
        let type = header ?? post["mimeType"]?.text ?? ""
        guard let text = text(of: post) else { return }
        // Tools write the text, its parameters or both.
        if text.isEmpty {
            let parameters = post["params"]?.elements ?? []
            guard !parameters.isEmpty else { return }
            if ForeignBody.kind(of: type) == "multipart/form-data" {
                request.body = .multipart(MultipartContent(parameters.compactMap { part($0) }))
            } else {
                request.body = .form(FormContent(rows(post["params"])))
            }
        } else if let boundary = ForeignBody.parameter("boundary", of: type),
            let parts = parts(of: text, boundary, at: post.offset)
        {
            request.body = .multipart(MultipartContent(parts))
        } else {
            request.body = body(text, type, of: request)
        }
        request.dropContentType()
    }

    /// Notes a body that the recording does not have, or of which it has a part only.
    mutating func noteMissing(_ value: ForeignValue, _ request: SavedRequest) {
        guard let size = value["bodySize"].flatMap({ Int($0.text) }), size > 0 else { return }
        let post = value["postData"]
        let text = post?["text"]?.text ?? ""
        if text.isEmpty, post?["params"]?.elements.isEmpty ?? true {
            log.loss(value.offset, "bodySize", "the recording does not have the body of \(size) bytes")
        } else if !text.isEmpty, text.utf8.count < size {
            // Recordings leave out the content of files.
            if case .multipart? = request.body { return }
            log.loss(
                post?.offset ?? value.offset, "postData",
                "the recording has \(text.utf8.count) of the \(size) bytes of the body")
        }
    }

    /// The text; empty for none, nil for one that no body can have.
    private mutating func text(of post: ForeignValue) -> String? {
        let text = post["text"]?.text ?? ""
        guard post["encoding"]?.string == "base64", !text.isEmpty else { return text }
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        if let data, let decoded = String(validating: data, as: UTF8.self) { return decoded }
        let size = data.map { "\($0.count) bytes" } ?? "no base64"
        log.loss(post.offset, "postData", "left out: the body is no text (\(size)); choose a file for it")
        return nil
    }

    private func body(_ text: String, _ type: String, of request: SavedRequest) -> SavedBody {
        let body = ForeignBody(isLiteral: true).body(text, type.isEmpty ? nil : type)
        guard case .json(let content) = body, request.method == .post, request.path.hasSuffix("graphql"),
            case .object(let members) = content.value,
            members.allSatisfy({ ["query", "variables", "operationName"].contains($0.key) }),
            let query = content.value["query"]?.stringValue
        else { return body }
        var graphQL = GraphQLContent(query, operationName: content.value["operationName"]?.stringValue)
        if case .object? = content.value["variables"] { graphQL.variables = content.value["variables"] }
        return .graphql(graphQL)
    }

    // MARK: Parts

    private mutating func part(_ value: ForeignValue) -> MultipartPart? {
        let (name, content) = (value["name"]?.text ?? "", value["value"]?.text ?? "")
        guard !name.isEmpty else { return nil }
        let (file, type) = (value["fileName"]?.text ?? "", value["contentType"]?.text ?? "")
        return part(name, content, file: file.isEmpty ? nil : file, type: type.isEmpty ? nil : type, at: value.offset)
    }

    /// The parts of a text; nil for one that is not divided by the boundary.
    private mutating func parts(of text: String, _ boundary: String, at offset: Int) -> [MultipartPart]? {
        let found = ForeignPart.parts(of: text, boundary: boundary)
        guard !found.isEmpty, found.allSatisfy({ $0.name?.isEmpty == false }) else { return nil }
        return found.map { written in
            part(
                written.name ?? "", written.content, file: written.fileName, type: written.header("content-type"),
                at: offset)
        }
    }

    /// Recordings leave out the content of files.
    private mutating func part(
        _ name: String, _ content: String, file: String?, type: String?, at offset: Int
    ) -> MultipartPart {
        let (name, type) = (TemplateText.literal(name), type.map { TemplateText.literal($0) })
        guard let file, !file.isEmpty else {
            return MultipartPart(name, .text(TemplateText.literal(content)), contentType: type)
        }
        let path = TemplateText.literal(file)
        guard content.isEmpty else {
            return MultipartPart(name, .text(TemplateText.literal(content)), contentType: type, fileName: path)
        }
        log.loss(
            offset, file.excerpted, "the recording does not have this file; put it into the folder of the collection")
        return MultipartPart(name, .file(path), contentType: type)
    }
}
