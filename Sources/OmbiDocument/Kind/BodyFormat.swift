/// The kind of a body, which decides how it is shown.
package enum BodyKind: Sendable, Equatable {
    case empty
    case json
    /// One JSON value per line.
    case jsonLines
    case xml
    case html
    case yaml
    /// Rows of cells, with the byte that separates them.
    case table(separator: UInt8)
    /// `a=b&c=d`.
    case form
    case markdown
    case events
    case text
    case image(ImageKind)
    /// Binary data, with a more specific name where it is known: `PDF document`.
    case binary(name: String?)

    package var isText: Bool {
        switch self {
        case .empty, .image, .binary: false
        default: true
        }
    }

    package var name: String {
        switch self {
        case .empty: "empty"
        case .json: "JSON"
        case .jsonLines: "JSON Lines"
        case .xml: "XML"
        case .html: "HTML"
        case .yaml: "YAML"
        case .table(let separator): separator == 0x09 ? "TSV" : "CSV"
        case .form: "form"
        case .markdown: "Markdown"
        case .events: "events"
        case .text: "text"
        case .image(let image): image.name
        case .binary(let name): name ?? "binary"
        }
    }
}

/// The recognized format of a body: its kind, its encoding, and what contradicts its headers.
package struct BodyFormat: Sendable, Equatable {
    package var kind: BodyKind
    /// nil for a body that is not text.
    package var charset: CharsetFinding?
    /// A note for the reader, such as that the Content-Type contradicts the bytes.
    package var note: String?

    /// Examines the first 4 KiB. A Content-Type is trusted unless the bytes contradict it.
    /// - Parameter contentType: The value of the header as received.
    package init(_ bytes: Bytes, contentType header: String?) {
        let contentType = header.flatMap(ContentType.init)
        (kind, charset, note) = (.empty, nil, nil)
        guard !bytes.isEmpty else { return }
        let finding = CharsetFinding.of(bytes, contentType: contentType)
        if let binary = Self.binary(bytes, finding, contentType) {
            kind = binary
            if let type = contentType?.type, Self.saysText(type) {
                note = "the Content-Type is \(type), but this is \(binary.name)"
            }
            return
        }
        charset = finding
        kind = Self.text(Self.head(of: bytes, finding), contentType, &note)
        note = note ?? finding.note
    }

    private static let sample = 4096

    private static func binary(_ bytes: Bytes, _ finding: CharsetFinding, _ type: ContentType?) -> BodyKind? {
        if finding.source == .mark { return nil }
        if let image = ImageKind(bytes) { return .image(image) }
        let name = BinarySignature.name(of: bytes)
        if name == "PDF document" { return .binary(name: name) }
        if finding.charset.isWide { return nil }
        let hasNul = ByteScan.first(0, in: bytes, 0..<sample) != nil
        if let name, hasNul || UTF8Reader.firstInvalid(in: bytes, 0..<sample) != nil { return .binary(name: name) }
        if hasNul { return .binary(name: nil) }
        guard finding.source == .guess, finding.charset != .utf8 else { return nil }
        return type.map { saysText($0.type) } == true || isMostlyASCII(bytes) ? nil : .binary(name: nil)
    }

    private static func isMostlyASCII(_ bytes: Bytes) -> Bool {
        let head = bytes.buffer(0..<sample)
        let odd = head.count { $0 >= 0x80 || $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 != 0x1B }
        return odd * 10 < head.count * 3
    }

    static func saysText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml") || type.hasSuffix("yaml")
            || type == "application/x-www-form-urlencoded" || type == "application/javascript"
            || type == "application/graphql" || JSONStreamType.matches(type)
    }

    /// Returns the first characters as UTF-8, without a byte order mark.
    private static func head(of bytes: Bytes, _ finding: CharsetFinding) -> Bytes {
        let head = bytes[finding.markLength..<sample]
        guard finding.charset != .utf8, let decoded = DecodedText(finding.charset) else { return head }
        return decoded.extend(over: head, isComplete: false)
    }

    private static func text(_ head: Bytes, _ type: ContentType?, _ note: inout String?) -> BodyKind {
        let said = type.flatMap(kind(of:))
        let found = TextSniffer(head: head).kind
        switch (said, found) {
        case (nil, nil): return .text
        case (nil, let found?): return found
        case (let said?, nil): return said
        case (.html?, .xml?): return .html
        case (.xml?, .html?): return .xml
        case (.json?, .jsonLines?), (.jsonLines?, .json?): return .jsonLines
        case (let said?, let found?) where said == found: return said
        case (let said?, let found?):
            // Only a format evident in its first bytes can contradict; whether a text is YAML or CSV is debatable.
            guard said.showsInFirstBytes || found == .json || found == .html || found == .xml, found.showsInFirstBytes
            else { return said }
            note = "the Content-Type is \(type?.type ?? "?"), but this looks like \(found.name)"
            return found
        }
    }

    private static func kind(of type: ContentType) -> BodyKind? {
        switch type.type {
        case "text/html", "application/xhtml+xml": return .html
        case "text/event-stream": return .events
        case "text/csv", "application/csv": return .table(separator: UInt8(ascii: ","))
        case "text/tab-separated-values": return .table(separator: 0x09)
        case "application/x-www-form-urlencoded": return .form
        case "text/markdown", "text/x-markdown": return .markdown
        case let type where JSONStreamType.matches(type): return .jsonLines
        default: break
        }
        switch type.syntax {
        case "json", "x-json", "javascript+json": return .json
        case "xml": return .xml
        case "yaml", "x-yaml": return .yaml
        default: return nil
        }
    }
}

extension BodyKind {
    /// True if the first bytes identify the kind beyond doubt.
    fileprivate var showsInFirstBytes: Bool {
        switch self {
        case .json, .jsonLines, .xml, .html: true
        default: false
        }
    }
}

/// The value of a Content-Type header (RFC 9110, section 8.3.1), parsed leniently. Everything is in lowercase except
/// the values of the parameters.
package struct ContentType: Sendable, Equatable {
    /// Such as `text/html`.
    package var type: String
    package var parameters: [(name: String, value: String)]

    package init?(_ text: String) {
        let parts = Self.parts(of: text)
        type = parts[0].lowercased()
        guard type.contains("/") else { return nil }
        parameters = parts.dropFirst().compactMap { part in
            guard let sign = part.firstIndex(of: "=") else { return nil }
            let name = part[..<sign].trimmed.lowercased()
            return (name, Self.unquoted(part[part.index(after: sign)...].trimmed))
        }
    }

    package static func == (left: ContentType, right: ContentType) -> Bool {
        left.type == right.type && left.parameters.elementsEqual(right.parameters, by: ==)
    }

    /// The value of a parameter; of several with that name, the first.
    package subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The suffix after `+`, or the whole subtype: `json` of `application/problem+json`.
    package var syntax: String {
        let subtype = type.drop { $0 != "/" }.dropFirst()
        return String(subtype.split(separator: "+").last ?? subtype)
    }

    /// Splits at semicolons, except in quotes.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map(\.trimmed)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return text.dropFirst().dropLast().filter { $0 != "\\" }
    }
}
