/// The parts of a form: the values of `-F` and `--form-string`.
extension CurlRequestReader {
    var formArguments: [CurlArgument] { operation.all(.form, .formString) }

    /// Sets the form of a command that has one. Its content type has a boundary, which each program chooses.
    mutating func setForm(of request: inout SavedRequest, _ headers: inout CurlHeaders) {
        let arguments = formArguments
        guard !arguments.isEmpty else { return }
        request.body = .multipart(MultipartContent(arguments.flatMap { parts($0) }))
        guard let line = headers.first("Content-Type"), !headers.isRepeated("Content-Type") else { return }
        let type = line.value.lowercased()
        if !type.hasPrefix("multipart/") {
            log.loss(line.argument, of: line.name, "a form is sent as multipart/form-data")
        }
        if !type.hasPrefix("multipart/") || type.hasPrefix("multipart/form-data") { headers.removeContentType() }
    }

    /// `name=text`, `name=@path`, `name=<path`, with attributes after semicolons.
    private mutating func parts(_ argument: CurlArgument) -> [MultipartPart] {
        guard let text = argument.value?.text, let equals = text.firstIndex(of: "=") else {
            lose(argument, "a part has the form name=value")
            return []
        }
        let name = TemplateText.escaped(String(text[..<equals]))
        let value = text[text.index(after: equals)...]
        guard !name.isEmpty else {
            lose(argument, "a part needs a name")
            return []
        }
        if argument.option.effect == .request(.formString) {
            return [MultipartPart(name, .text(TemplateText.escaped(String(value))))]
        }
        switch value.first {
        case "(", ")":
            lose(argument, "a form within a form cannot be saved")
            return []
        case "@":
            let items = items(value.dropFirst(), isList: true, argument)
            if items.count > 1 {
                log.remark(
                    argument, of: text.excerpt(40),
                    "a part for each file, as servers expect; curl sends one of multipart/mixed")
            }
            return items.map { item in
                item.text == "-"
                    ? input(item, name, argument)
                    : part(name, .file(TemplateText.escaped(item.text)), item, type: Self.type(ofFile: item))
            }
        case "<":
            return items(value.dropFirst(), isList: false, argument).map { content($0, name, argument) }
        default:
            return items(value, isList: false, argument).map { item in
                part(name, .text(TemplateText.escaped(item.text)), item, type: item.fileName.flatMap(Self.knownType))
            }
        }
    }

    /// The content of a file as a part without a file name. curl gives it no type that it has without one.
    private mutating func content(
        _ item: CurlFormValue.Item, _ name: String, _ argument: CurlArgument
    ) -> MultipartPart {
        var item = item
        if let fileName = item.fileName {
            log.remark(argument, of: ";filename=\(fileName.excerpt(40))", "left out, as curl does")
            item.fileName = nil
        }
        let type = Self.knownType(item.text).flatMap { $0 == "text/plain" ? nil : $0 }
        if let text = String(validating: file(item.text, argument), as: UTF8.self) {
            return part(name, .text(TemplateText.escaped(text)), item, type: type)
        }
        var part = part(name, .file(TemplateText.escaped(item.text)), item, type: type ?? MultipartPart.absent)
        part.fileName = MultipartPart.absent
        return part
    }

    /// The standard input as a part with a file name. curl gives it no type but that of another name.
    private mutating func input(
        _ item: CurlFormValue.Item, _ name: String, _ argument: CurlArgument
    ) -> MultipartPart {
        var item = item
        item.fileName = item.fileName ?? item.text
        let type = item.fileName.flatMap(Self.knownType)
        if operation.input == nil, let path = operation.inputFile?.text {
            return part(name, .file(TemplateText.escaped(path)), item, type: type ?? MultipartPart.absent)
        }
        let text = String(validating: file("-", argument), as: UTF8.self)
        if text == nil { lose(argument, "the standard input is not UTF-8; name a file") }
        return part(name, .text(TemplateText.escaped(text ?? "")), item, type: type)
    }

    private mutating func items(
        _ text: Substring, isList: Bool, _ argument: CurlArgument
    ) -> [CurlFormValue.Item] {
        let items = CurlFormValue(text, isList: isList).items
        for item in items {
            for attribute in item.lost {
                log.loss(argument, of: ";\(attribute.excerpt(40))", "a part cannot have it")
            }
            for attribute in item.unknown {
                log.remark(argument, of: ";\(attribute.excerpt(40))", "left out, as curl does")
            }
        }
        return items
    }

    private func part(
        _ name: String, _ content: MultipartPart.Content, _ item: CurlFormValue.Item, type: String? = nil
    ) -> MultipartPart {
        MultipartPart(
            name, content, contentType: item.type.map { TemplateText.escaped($0) } ?? type,
            fileName: item.fileName.map { TemplateText.escaped($0) })
    }

    private mutating func lose(_ argument: CurlArgument, _ reason: String) {
        log.loss(argument, of: argument.value?.text.excerpt(40) ?? "", reason)
    }

    /// The type that curl gives a file, by the name that is sent or else by its own; nil where it is Ombi's.
    private static func type(ofFile item: CurlFormValue.Item) -> String? {
        let type = item.fileName.flatMap(knownType) ?? knownType(item.text) ?? FileType.unknown
        return type == FileType.named(item.text) ? nil : type
    }

    /// The type that curl knows by the end of a name.
    private static func knownType(_ name: String) -> String? {
        let known = ["gif", "jpg", "jpeg", "png", "svg", "txt", "htm", "html", "pdf", "xml"]
        return known.contains { name.lowercased().hasSuffix("." + $0) } ? FileType.named(name) : nil
    }
}

/// The value of `-F` behind the name: files or a text, each with attributes behind semicolons.
struct CurlFormValue {
    /// One file, or the text.
    struct Item: Equatable {
        var text = ""
        var type: String?
        var fileName: String?
        /// Attributes that curl sends and no part can have: `headers=X-A: 1`.
        var lost: [String] = []
        /// Attributes that curl leaves out, too.
        var unknown: [String] = []
    }

    private(set) var items: [Item] = []
    private var rest: Substring
    /// Ends a file; nil for a text, which goes on.
    private let end: Character?

    /// - Parameter isList: true for files, which commas separate.
    init(_ text: Substring, isList: Bool) {
        rest = text
        end = isList ? "," : nil
        repeat { items.append(item()) } while takes(end)
    }

    private mutating func takes(_ character: Character?) -> Bool {
        guard let character, rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func item() -> Item {
        skipSpaces()
        var item = Item(text: word())
        // A type goes on with what is no other attribute: its parameters.
        var isInType = false
        while takes(";") {
            skipSpaces()
            if !isInType, take("type=") {
                item.type = unquoted()
                isInType = true
            } else if take("filename=") {
                item.fileName = word()
                isInType = false
            } else if let attribute = ["headers=", "encoder="].first(where: { take($0) }) {
                item.lost.append(attribute + word())
                isInType = false
            } else if isInType {
                item.type = (item.type ?? "") + ";" + spaces + unquoted()
            } else {
                let attribute = word()
                if !attribute.isEmpty { item.unknown.append(attribute) }
            }
        }
        item.type = item.type.map { String($0.trimming(while: \.isWhitespace)) }
        return item
    }

    /// The spaces that the last `skipSpaces` went over.
    private var spaces = ""

    private mutating func skipSpaces() {
        spaces = String(rest.prefix(while: \.isWhitespace))
        rest = rest.dropFirst(spaces.count)
    }

    /// Goes over a prefix, in any case, and the spaces behind it.
    private mutating func take(_ prefix: String) -> Bool {
        guard rest.prefix(prefix.count).lowercased() == prefix else { return false }
        rest = rest.dropFirst(prefix.count)
        skipSpaces()
        return true
    }

    private mutating func unquoted() -> String {
        let text = rest.prefix { $0 != ";" && $0 != end }
        rest = rest[text.endIndex...]
        return String(text)
    }

    /// Reads a quoted text, or up to the next attribute without spaces around it.
    private mutating func word() -> String {
        guard rest.first == "\"" else { return String(unquoted().trimming(while: \.isWhitespace)) }
        var text = ""
        var ahead = rest.dropFirst()
        while let character = ahead.popFirst() {
            if character == "\"" {
                rest = ahead
                _ = unquoted()
                return text
            }
            let isEscape = character == "\\" && (ahead.first == "\\" || ahead.first == "\"")
            text.append(isEscape ? ahead.removeFirst() : character)
        }
        return String(unquoted().trimming(while: \.isWhitespace))
    }
}
