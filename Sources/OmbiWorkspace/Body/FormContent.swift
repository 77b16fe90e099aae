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

    init(path: String, type: String? = nil, fileName: String? = nil) {
        self.path = path
        self.type = type
        self.fileName = fileName
    }

    /// Reads a line. What is no attribute belongs to the text before it, as a type may have parameters.
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
        return "\"" + text.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "\"", with: "\\\"") + "\""
    }
}
