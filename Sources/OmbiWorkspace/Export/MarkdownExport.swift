/// Writes requests as a page about an API.
enum MarkdownExport {
    static func text(of exported: ExportedRequests) -> ExportedText {
        var lines = ["# " + heading(exported.name)]
        lines += exported.omissions.flatMap { ["", "*\(heading($0))*"] }
        var folders: [String] = []
        for request in exported.requests {
            let common = zip(folders, request.folders).prefix { $0 == $1 }.count
            for (depth, name) in request.folders.enumerated().dropFirst(common) {
                lines += ["", String(repeating: "#", count: min(depth + 2, 5)) + " " + heading(name)]
            }
            folders = request.folders
            lines += ["", section(request)]
        }
        return ExportedText(text: lines.joined(separator: "\n"), losses: exported.losses(\.omissions))
    }

    private static func heading(_ text: String) -> String { ExportQuotes.markdownCell(ShellQuotes.comment(text)) }

    private static func section(_ request: ExportedRequest) -> String {
        let level = String(repeating: "#", count: min(request.folders.count + 2, 6))
        var parts = ["\(level) \(heading(request.name))"]
        if !request.description.isEmpty { parts.append(description(request.description)) }
        let address = SwiftNames.line(request.address.templates)
        parts.append(ExportQuotes.markdownBlock("\(request.method.rawValue) \(address)", language: "http"))
        if let text = authentication(request.credentials) { parts.append("Authentication: \(text)") }
        parts += table(of: request.parameters)
        parts += table("Header", request.headers)
        switch request.body {
        case .text(let text):
            let isJSON = request.contentType?.contains("json") ?? false
            parts.append(ExportQuotes.markdownBlock(text.templates, language: isJSON ? "json" : ""))
        case .form(let rows): parts += table("Field", rows)
        case .multipart(let list): parts += table("Part", list.map(row))
        case .file(let path): parts.append("Body: the file \(cell(path))")
        case nil: break
        }
        let notes = request.omissions + settings(of: request)
        parts += notes.isEmpty ? [] : [notes.map { "- " + heading($0) }.joined(separator: "\n")]
        let saved = request.examples.first.map { ExportedExample($0) }
        if let example = request.example ?? saved { parts += response(example) }
        return parts.joined(separator: "\n\n")
    }

    /// Returns a description, which is Markdown, without HTML, and with an end for a block of code that has none: both
    /// would take in what follows.
    private static func description(_ text: String) -> String {
        var (lines, fence): ([String], String?) = ([], nil)
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let start = line.drop { $0 == " " }
            // Four spaces make a line of code instead of a fence.
            let isIndented = line.count - start.count > 3
            let marks = isIndented ? "" : start.prefix { $0 == start.first && ($0 == "`" || $0 == "~") }
            let rest = start.dropFirst(marks.count)
            if let open = fence {
                lines.append(String(line))
                if marks.hasPrefix(open), rest.allSatisfy(\.isWhitespace) { fence = nil }
            } else if marks.count > 2, marks.first == "~" || !rest.contains("`") {
                lines.append(String(line))
                fence = String(marks)
            } else {
                lines.append(withoutMarkup(line))
            }
        }
        return (lines + (fence.map { [$0] } ?? [])).joined(separator: "\n")
    }

    private static func withoutMarkup(_ line: Substring) -> String {
        var result = ""
        let scalars = Array(line.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if scalar == "<", beginsMarkup(scalars[(index + 1)...]) {
                result += "&lt;"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// True for a text that begins an element, a comment or the like after its `<`, and not a link.
    private static func beginsMarkup(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = rest.first else { return false }
        if first == "/" || first == "!" || first == "?" { return true }
        guard first.isASCII, first.properties.isAlphabetic else { return false }
        return rest.first { !$0.isASCII || !$0.properties.isAlphabetic } != ":"
    }

    private static func response(_ example: ExportedExample) -> [String] {
        let reason = StatusCode.reason(example.status).map { " " + $0 } ?? ""
        let language = example.contentType.contains("json") ? "json" : ""
        let body = example.text.isEmpty ? [] : [ExportQuotes.markdownBlock(example.text, language: language)]
        return ["Response: \(example.status)\(reason)"] + body
    }

    private static func authentication(_ credentials: ExportedRequest.Credentials?) -> String? {
        switch credentials {
        case .basic(let name, _): "Basic, user \(cell(name))"
        case .digest(let name, _): "Digest, user \(cell(name))"
        case .bearer(let token): "Bearer \(cell(token))"
        case .key(let key, .header): "the key \(cell(key.value)) in the header \(cell(key.name))"
        case .key(let key, .cookie): "the key \(cell(key.value)) in the cookie \(cell(key.name))"
        case .key(let key, .query): "the key \(cell(key.value)) in the query, named \(cell(key.name))"
        case nil: nil
        }
    }

    private static func settings(of request: ExportedRequest) -> [String] {
        var notes: [String] = []
        if !request.followsRedirects { notes.append("redirects are not followed") }
        if !request.verifiesTLS { notes.append("the certificate is not verified") }
        if let timeout = request.timeout { notes.append("timeout: \(CurlLine.seconds(timeout)) s") }
        if case .url(let url) = request.proxy { notes.append("proxy: \(url.templates)") }
        return notes
    }

    private static func row(_ part: ExportedRequest.Part) -> ExportedRequest.Row {
        let content = part.file.map { ExportText(plain: "the file ") + $0 } ?? part.text ?? ExportText()
        let value = part.contentType.map { [content, $0].joined(separator: ", ") } ?? content
        return .init(name: part.name, value: value, description: part.description)
    }

    private static func table(_ title: String, _ rows: [ExportedRequest.Row]) -> [String] {
        guard !rows.isEmpty else { return [] }
        guard rows.contains(where: { !$0.description.isEmpty }) else {
            let lines = rows.map { "| \(cell($0.name)) | \(cell($0.value)) |" }
            return [(["| \(title) | Value |", "| --- | --- |"] + lines).joined(separator: "\n")]
        }
        let lines = rows.map { "| \(cell($0.name)) | \(cell($0.value)) | \(line($0.description)) |" }
        return [(["| \(title) | Value | Description |", "| --- | --- | --- |"] + lines).joined(separator: "\n")]
    }

    private static func line(_ text: String) -> String {
        heading(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    private static func table(of parameters: [ExportedRequest.Parameter]) -> [String] {
        guard !parameters.isEmpty else { return [] }
        let lines = parameters.map { "| \(heading($0.name)) | \(line($0.description)) |" }
        return [(["| Parameter | Description |", "| --- | --- |"] + lines).joined(separator: "\n")]
    }

    private static func cell(_ text: ExportText) -> String { ExportQuotes.markdownCell(text.templates) }
}
