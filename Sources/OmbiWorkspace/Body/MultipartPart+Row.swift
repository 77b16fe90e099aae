import OmbiDocument

/// A part as a row of name and value, in which `@path;type=…;filename=…` is a file, as with `-F` of curl. A text that
/// begins with `@` has a backslash in front.
extension MultipartPart {
    private static let keysOfText = ["contentType", "fileName"]

    var row: Field {
        var row = Field(name, rowText, enabled: enabled)
        row.unknown = unknown
        if case .text = content {
            // A row of text shows neither, and keeps both.
            for (key, text) in zip(Self.keysOfText, [contentType, fileName]) {
                if let text {
                    row.unknown.entries.append(.init(previousKey: "value", member: .init(key, .string(text))))
                }
            }
        }
        return row
    }

    init(row: Field) {
        self.init(row.name, .text(""), enabled: row.enabled)
        unknown = row.unknown
        unknown.entries.removeAll { Self.keysOfText.contains($0.member.key) }
        guard row.value.hasPrefix("@") else {
            let isEscaped = row.value.drop { $0 == "\\" }.hasPrefix("@")
            content = .text(isEscaped ? String(row.value.dropFirst()) : row.value)
            let kept = row.unknown.entries.map(\.member)
            contentType = Self.text("contentType", in: kept)
            fileName = Self.text("fileName", in: kept)
            return
        }
        let line = FormFileText(row.value.dropFirst())
        content = .file(line.path)
        (contentType, fileName) = (line.type, line.fileName)
    }

    private static func text(_ key: String, in members: [JSONValue.Member]) -> String? {
        members.first { $0.key == key }?.value.stringValue
    }

    private var rowText: String {
        switch content {
        case .text(let text): text.drop { $0 == "\\" }.hasPrefix("@") ? "\\" + text : text
        case .file(let path): "@" + FormFileText(path: path, type: contentType, fileName: fileName).text
        }
    }
}
