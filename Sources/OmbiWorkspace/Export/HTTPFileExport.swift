import OmbiCore

/// Writes requests as an `.http` file for Visual Studio Code and JetBrains' programs. Its variables are theirs.
enum HTTPFileExport {
    private static let abilities: ExportAbilities = [.digest, .timeout, .redirects, .functions]

    static func text(of exported: ExportedRequests) -> ExportedText {
        let used = Set(exported.requests.flatMap(\.texts).flatMap(\.values).filter { $0.function == nil }.map(\.name))
        let known = exported.variables.filter { used.contains($0.name) && !$0.value.contains(where: \.isNewline) }
        let variables = known.map { "@\($0.name) = \(ExportText($0.value).text(value))" }
        return exported.written(comment: "#", start: variables.joined(separator: "\n")) { request in
            (text(of: request), request.losses(besides: abilities) + losses(of: request))
        }
    }

    private static func text(of request: ExportedRequest) -> String {
        var lines = ["### " + ShellQuotes.comment(request.name)]
        if !request.followsRedirects { lines.append("# @no-redirect") }
        if let timeout = request.timeout { lines.append("# @timeout \(max(1, timeout.components.seconds))") }
        lines.append("\(request.method.rawValue) \(oneLine(request.address))")
        lines += request.allHeaders.map { "\(oneLine($0.name)): \(oneLine($0.value))" }
        switch request.credentials {
        case .basic(let name, let password) where password.isEmpty:
            // A name without a second word would be taken for the whole credentials.
            let encoded = name.plain.flatMap { RequestAuthentication.basic(username: $0, password: "").headerValue }
            lines.append("Authorization: " + (encoded?.text ?? "Basic \(oneLine(name)):"))
        case .basic(let name, let password):
            lines.append("Authorization: Basic \(oneLine(name)) \(oneLine(password))")
        case .digest(let name, let password):
            lines.append("Authorization: Digest \(oneLine(name)) \(oneLine(password))")
        case .bearer, .key, nil: break
        }
        return lines.joined(separator: "\n") + body(of: request)
    }

    private static func body(of request: ExportedRequest) -> String {
        switch request.body {
        case .text, .form: "\n\n" + (request.text ?? ExportText()).text(value)
        case .file(let path): "\n\n< " + filePath(path)
        case .multipart(let parts):
            multipart(parts, boundary: boundary(besides: bodyTexts(of: request)))
        case nil: ""
        }
    }

    /// Returns a boundary that no text has, so that none ends its part.
    private static func boundary(besides texts: [String]) -> String {
        var boundary = "ombi-boundary"
        while texts.contains(where: { $0.utf8.contains(boundary.utf8) }) { boundary += "-x" }
        return boundary
    }

    private static func multipart(_ parts: [ExportedRequest.Part], boundary: String) -> String {
        "\nContent-Type: multipart/form-data; boundary=\(boundary)\n\n"
            + parts.map { part($0, boundary) }.joined() + "--\(boundary)--"
    }

    private static func part(_ part: ExportedRequest.Part, _ boundary: String) -> String {
        let fileName = part.fileName.map { "; filename=\"\(attribute($0))\"" } ?? ""
        let type = part.contentType.map { "Content-Type: \(oneLine($0))\n" } ?? ""
        let content = part.file.map { "< " + filePath($0) } ?? (part.text ?? ExportText()).text(value)
        let head = "Content-Disposition: form-data; name=\"\(attribute(part.name))\"\(fileName)\n\(type)"
        return "--\(boundary)\n\(head)\n\(content)\n"
    }

    private static func attribute(_ text: ExportText) -> String { text.text(value, plain: MultipartForm.quoted) }

    private static func oneLine(_ text: ExportText) -> String { text.text(value, plain: SwiftNames.line) }

    private static func filePath(_ path: ExportText) -> String {
        let text = oneLine(path)
        return text.hasPrefix("/") || text.hasPrefix(".") || text.hasPrefix("{{") ? text : "./" + text
    }

    /// Functions that both programs have; others are variables.
    private static func value(_ value: ExportValue) -> String {
        guard let function = value.function else { return value.braces }
        let names = ["$uuid": "$uuid", "$timestamp": "$timestamp", "$isoTimestamp": "$isoTimestamp"]
        return names[function].map { "{{\($0)}}" } ?? value.braces
    }

    private static func losses(of request: ExportedRequest) -> [String] {
        var losses: [String] = []
        let others = request.texts.flatMap(\.values).filter { $0.function != nil && value($0) == $0.braces }
        if let first = others.first { losses.append("computed by Ombi, a variable here: \(first.template)") }
        let headers = request.allHeaders.flatMap { [$0.name, $0.value] }
        if headers.contains(where: { $0.literal.utf8.contains("{{".utf8) }) {
            losses.append("braces of a header begin a variable here")
        }
        let fields = [request.address] + headers
        if fields.contains(where: { ExportQuotes.hasHidden($0.literal) || $0.literal.utf8.contains(UInt8(ascii: "\n")) }
        ) {
            losses.append("characters of the URL or of a header that no line can hold are spaces")
        }
        switch request.credentials {
        case .basic(let name, _) where name.literal.contains(" "),
            .digest(let name, _) where name.literal.contains(" "):
            losses.append("the name of the user ends at its first space here")
        default: break
        }
        let texts = bodyTexts(of: request)
        guard !texts.isEmpty else { return losses }
        let text = texts.joined(separator: "\r\n")
        if text.utf8.contains("{{".utf8) { losses.append("braces of the body begin a variable here") }
        let signs = ["#", "//", "< ", "<@", "> ", ">>", "<>", "??", "HTTP/"]
        // With a mark behind it, a sign is another character.
        let lines = text.split(whereSeparator: \.isNewline).map(\.utf8)
        if lines.contains(where: { line in signs.contains { line.starts(with: $0.utf8) } }) {
            losses.append("a line of the body begins with a sign that has a meaning here")
        }
        if case .multipart? = request.body {
            // CR LF is one character.
            if text.contains(where: { $0 == "\n" }) { losses.append("line breaks of parts are CR LF here") }
        } else if text.first?.isNewline ?? false || text.last?.isNewline ?? false {
            losses.append("line breaks at the ends of the body are left out")
        }
        if texts.contains(where: ExportQuotes.hasHidden) {
            losses.append("the body has characters that cannot be seen")
        }
        return losses
    }

    private static func bodyTexts(of request: ExportedRequest) -> [String] {
        if case .multipart(let parts)? = request.body { return parts.compactMap { $0.text?.literal } }
        return [request.text?.literal].compactMap { $0 }
    }
}
