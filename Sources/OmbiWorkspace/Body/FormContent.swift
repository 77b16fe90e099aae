/// Named values, sent as `application/x-www-form-urlencoded`.
package struct FormContent: Sendable, Equatable {
    package var fields: [Field]

    package init(_ fields: [Field]) { self.fields = fields }
}

extension FormContent: BodyContent {
    static let kind = SavedBody.Kind.form
    static let note = "application/x-www-form-urlencoded"
    static var schemas: [JSONValue.Member] {
        [JSONValue.Member("form", Schema.reference("fields", "Sent as application/x-www-form-urlencoded."))]
    }

    init(reading object: ObjectReader) { self.init(object.list("form", of: Field.self)) }

    init(text: String) { self.init([]) }

    func write(to writer: inout ObjectWriter) { writer.add("form", .array(fields.map(\.json))) }

    var body: SavedBody { .form(self) }

    var form: ExportedBody { .form(fields.filter(\.enabled)) }

    var rows: [Field]? {
        get { fields }
        set { fields = newValue ?? [] }
    }

    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody {
        let pairs = try Field.filled(fields, "form field", fill).map { field in
            PercentEncoding.escapeForm(field.name) + "=" + PercentEncoding.escapeForm(field.value)
        }
        return PreparedBody(pairs.joined(separator: "&"), contentType: .string(Self.note))
    }
}

/// A file of a form on one line: `./ada.png;type=image/png;filename=me.png`, in the grammar of curl's `-F`.
struct FormFileText: Equatable {
    var path: String
    var type: String?
    var fileName: String?
}

extension FormFileText {
    /// Reads a line. Text that is no attribute belongs to the previous part, because a type may have parameters.
    init(_ line: Substring) {
        var words = Self.words(line)[...]
        path = words.popFirst() ?? ""
        for word in words {
            if word.hasPrefix("type=") {
                type = String(word.dropFirst(5))
            } else if word.hasPrefix("filename=") {
                fileName = String(word.dropFirst(9))
            } else if let before = type {
                type = before + ";" + word
            } else {
                path += ";" + word
            }
        }
    }

    var text: String {
        Self.quoted(path) + (type.map { ";type=" + $0 } ?? "") + (fileName.map { ";filename=" + Self.quoted($0) } ?? "")
    }

    /// Splits at semicolons outside of quotation marks, which are taken away where a word or a value begins with them.
    private static func words(_ line: Substring) -> [String] {
        var words = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in line {
            let word = words[words.count - 1]
            switch character {
            case _ where isEscaped:
                words[words.count - 1].append(character)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"" where isQuoted: isQuoted = false
            case "\"" where word.isEmpty || word == "filename=": isQuoted = true
            case ";" where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(";") || text.hasPrefix("\"") else { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// Texts and files, sent as `multipart/form-data`. Files are read while they are sent.
package struct MultipartContent: Sendable, Equatable {
    package var parts: [MultipartPart]

    package init(_ parts: [MultipartPart]) { self.parts = parts }
}

extension MultipartContent: BodyContent {
    static let kind = SavedBody.Kind.multipart
    static let note = "multipart/form-data, with files"
    static var schemas: [JSONValue.Member] {
        [
            JSONValue.Member(
                "multipart",
                Schema.list("Sent as multipart/form-data, in this order.", of: Schema.reference("part")))
        ]
    }
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

/// A field of a multipart form: a text, or a file.
package struct MultipartPart: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case text(String)
        /// A path relative to the folder of the collection; `~/` is the home folder.
        case file(String)
    }

    package var name: String
    package var content: Content
    /// Nil sends none for a text, and the type of the extension for a file; empty sends none for a file.
    package var contentType: String?
    /// Nil sends none for a text, and the last component of its path for a file; empty sends none for a file.
    package var fileName: String?
    /// A disabled part stays in the file and is not sent.
    package var enabled: Bool
    /// For readers: it is never sent. Nil for none.
    @Rare package var description: String?
    package var unknown = UnknownMembers()

    /// The type and the name of a file that is sent without them.
    static let absent = ""

    package init(
        _ name: String, _ content: Content, contentType: String? = nil, fileName: String? = nil, enabled: Bool = true
    ) {
        self.name = name
        self.content = content
        self.contentType = contentType
        self.fileName = fileName
        self.enabled = enabled
    }
}

extension MultipartPart: SavedObject {
    static let members = Members<MultipartPart>([
        .name("name", "The name of the field.", isRequired: true, { $0.name = $1 }, { $0.name }),
        .alternative(
            "value", Schema.text("The text of the field."),
            write: { if case .text(let text) = $0.content { .string(text) } else { nil } }),
        .alternative(
            "file", Schema.reference("path", "The content of the field."),
            write: { if case .file(let path) = $0.content { .string(path) } else { nil } }),
        .text(
            "contentType", Schema.text("For a file by its extension by default; for a text none."),
            { $0.contentType = $1 }, { $0.contentType }),
        .text(
            "fileName", Schema.text("For a file the last part of its path by default."), { $0.fileName = $1 },
            { $0.fileName }),
        .text(
            "description", Schema.text("The purpose of the part, for readers; it is never sent."),
            { $0.description = $1 }, { $0.description }),
        .flag("enabled", "A disabled part is not sent.", default: true, { $0.enabled = $1 }, { $0.enabled }),
    ])

    static var schema: JSONValue {
        members.schema(
            "A text or a file of a form.", rules: ["oneOf": [["required": ["value"]], ["required": ["file"]]]])
    }

    init(reading object: ObjectReader) {
        let isFile = object.has("file")
        if isFile == object.has("value") {
            object.log.error(
                at: object.offset, "a part has a \"value\" or a \"file\"" + (isFile ? ", not both" : ", found neither"))
        }
        self.init("", isFile ? .file(object.path("file")) : .text(object.string("value") ?? ""))
        unknown = object.read(Self.members, into: &self)
    }
}

extension MultipartPart {
    /// Returns the part with a description; empty for none.
    func described(_ text: String) -> MultipartPart {
        guard !text.isEmpty else { return self }
        var part = self
        part.description = text
        return part
    }

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

    /// Returns the part to send, and one to show, in which the file is named.
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

/// A part as a row of name and value, in which `@path;type=…;filename=…` is a file, as with `-F` of curl. A text that
/// begins with `@` has a backslash in front.
extension MultipartPart {
    private static let keysOfText = ["contentType", "fileName"]

    var row: Field {
        var row = Field(name, rowText, enabled: enabled)
        (row.description, row.unknown) = (description, unknown)
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
        (description, unknown) = (row.description, row.unknown)
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
