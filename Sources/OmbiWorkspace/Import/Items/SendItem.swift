/// A part of a request as a word of a command line, in the syntax of HTTPie: `name=value`, `Header:value`, `name@file`.
///
/// The first separator counts, and of those at one place the longest. A backslash before one makes it plain text.
package struct SendItem: Sendable, Equatable {
    /// The meaning of the value. The raw value is the separator.
    package enum Kind: String, CaseIterable, Sendable {
        case header = ":"
        case emptyHeader = ";"
        case headerFromFile = ":@"
        case query = "=="
        case queryFromFile = "==@"
        case text = "="
        case textFromFile = "=@"
        case json = ":="
        case jsonFromFile = ":=@"
        case file = "@"
    }

    package private(set) var kind: Kind
    package private(set) var name: String
    package private(set) var value: String

    package init(_ word: String) throws(FieldError) {
        guard let (name, kind, value) = Self.split(word) else {
            throw FieldError(
                "\"\(word.excerpt(40))\" is not an item of a request; write name=value, name:=json, Header:value, "
                    + "name==value or name@file")
        }
        (self.kind, self.name, self.value) = (kind, name, value)
        try check(word.excerpt(40))
    }

    // MARK: Reading

    private static let longestFirst = Kind.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }

    private static func split(_ word: String) -> (String, Kind, String)? {
        var name = ""
        var rest = word[...]
        while let character = rest.first {
            if let kind = longestFirst.first(where: { rest.hasPrefix($0.rawValue) }) {
                return (name, kind, unescaped(rest.dropFirst(kind.rawValue.count)))
            }
            rest.removeFirst()
            let isEscape = character == "\\" && rest.first.map(isEscapable) ?? false
            name.append(isEscape ? rest.removeFirst() : character)
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            let isEscape = character == "\\" && rest.first.map(isEscapable) ?? false
            result.append(isEscape ? rest.removeFirst() : character)
        }
        return result
    }

    private static func isEscapable(_ character: Character) -> Bool { ":;=@".contains(character) }

    // MARK: Checking

    private func check(_ word: String) throws(FieldError) {
        switch kind {
        case .header, .headerFromFile, .emptyHeader: try checkHeader(word)
        case .file: if value.isEmpty { throw FieldError("\(word): no file is named; write name@file") }
        case .query, .queryFromFile, .text, .textFromFile, .json, .jsonFromFile:
            if name.isEmpty { throw FieldError("\(word): the name is missing; write name\(kind.rawValue)value") }
        }
        if path?.isEmpty ?? false { throw FieldError("\(word): no file is named; write name\(kind.rawValue)file") }
    }

    private func checkHeader(_ word: String) throws(FieldError) {
        if value.hasPrefix("//"), ["http", "https", "ws", "wss"].contains(name.lowercased()) {
            throw FieldError("\(word): the URL stands before this; send one request at a time")
        }
        guard TemplateText.plainParts(of: name).allSatisfy({ $0.isEmpty || HeaderCheck.isToken($0) }), !name.isEmpty
        else { throw FieldError("\(word): \(HeaderCheck.nameForm)") }
        if kind == .emptyHeader, !value.isEmpty {
            throw FieldError("\(word): write \(name):value for a header, and \(name); for an empty one")
        }
        if let reason = CurlHeaders.own[name.lowercased()] { throw FieldError("\(word): \(reason); leave it out") }
        if isRemoval, CurlHeaders.alwaysSent.contains(name.lowercased()) {
            throw FieldError("\(word): Ombi always sends this header; write \(name):value")
        }
    }
}

extension SendItem {
    /// True for a part of the body.
    var isData: Bool { [.text, .textFromFile, .json, .jsonFromFile, .file].contains(kind) }

    /// True for `Header:`, which leaves a header out.
    var isRemoval: Bool { kind == .header && value.isEmpty }

    /// The file whose content is the value; nil for a value that is written out, and for a file that is sent as it is.
    package var path: String? {
        switch kind {
        case .headerFromFile, .queryFromFile, .textFromFile, .jsonFromFile: value
        case .header, .emptyHeader, .query, .text, .json, .file: nil
        }
    }

    /// The file that is named, to be sent as it is or as text; nil for none.
    package var file: String? { kind == .file ? Self.typedFile(value).path : path }

    /// `path;type=image/png` in its parts. `-` is the standard input.
    static func typedFile(_ text: String) -> (path: String, type: String?) {
        let end = text.firstRange(of: ";type=")
        let path = String(text[..<(end?.lowerBound ?? text.endIndex)])
        return (path == "-" ? "/dev/stdin" : path, end.map { String(text[$0.upperBound...]) })
    }

    /// Takes the content of the file in place of its path.
    package mutating func take(_ content: [UInt8]) throws(FieldError) {
        guard let path else { return }
        guard var text = String(validating: content, as: UTF8.self) else {
            throw FieldError("\(path) is not UTF-8 text; name@file sends a file as it is")
        }
        switch kind {
        case .headerFromFile, .queryFromFile:
            while text.last?.isNewline ?? false { text.removeLast() }
            kind = kind == .headerFromFile ? .header : .query
        case .textFromFile: kind = .text
        case .jsonFromFile: kind = .json
        case .header, .emptyHeader, .query, .text, .json, .file: break
        }
        value = text
    }
}

/// A request as the words of a command line: `[METHOD] URL [ITEM…]`, as HTTPie takes them.
package struct RequestWords: Sendable, Equatable {
    /// Nil to send POST with a body, and GET without one.
    package var method: RequestMethod?
    package var url: String
    package var items: [SendItem]

    package init(_ words: [String]) throws(FieldError) {
        var rest = words[...]
        if rest.count > 1, let first = rest.first, Self.isMethod(first) {
            method = try RequestMethod(text: first.uppercased())
            rest.removeFirst()
        }
        let isMethodAlone = words.count == 1 && RequestMethod.allCases.contains { $0.rawValue == words[0] }
        guard !isMethodAlone, let url = rest.popFirst() else { throw FieldError("the URL is missing") }
        self.url = url
        items = try rest.map { word throws(FieldError) in try SendItem(word) }
        try checkURL()
    }

    /// Returns true for a word of letters alone that is no host.
    private static func isMethod(_ word: String) -> Bool {
        !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isLetter } && !RequestTarget(word).isURL
    }

    private func checkURL() throws(FieldError) {
        let target = RequestTarget(url)
        if let problem = target.problem { throw FieldError(problem) }
        // `users name=value` has a path in place of the method.
        guard let method, !RequestMethod.allCases.contains(method), !target.isURL, !url.hasPrefix("/"),
            (try? SendItem(url)) != nil
        else { return }
        let word = method.rawValue.lowercased()
        throw FieldError("\"\(url.excerpt(40))\" is no URL; for the path \(word) write /\(word)")
    }

    /// Returns the collection of the request without the headers that are left out, so that none is inherited.
    package func surroundings(_ collection: Collection) -> Collection {
        let isRemoved = { (field: Field) in items.contains { $0.isRemoval && $0.isNamed(field.name) } }
        var collection = collection
        collection.headers.removeAll(where: isRemoved)
        for index in collection.environments.indices {
            collection.environments[index].additionalHeaders.removeAll(where: isRemoved)
        }
        for index in collection.overlay.environments.indices {
            collection.overlay.environments[index].additionalHeaders.removeAll(where: isRemoved)
        }
        return collection
    }

    /// Returns the request, once the content of files stands in its items.
    /// - Parameters:
    ///   - isForm: true to send the data as a form in place of JSON.
    ///   - raw: the whole body as a text; nil for one of the items.
    ///   - prefix: leads from the folder of the request to the current one, at which the paths of files start.
    package func request(
        isForm: Bool = false, raw: String? = nil, prefix: String = ""
    ) throws(FieldError) -> SavedRequest {
        var address = CurlAddress(RequestTarget(url).text)
        address.removeDotSegments()
        if address.server.isEmpty, address.path.isEmpty { address.path = "/" }
        let body = try ItemsBody(items: items, isForm: isForm, raw: raw, prefix: prefix).body()
        let method = method ?? (body == nil ? .get : .post)
        if body != nil, method == .head { throw FieldError("HEAD has no body; write name==value for the query") }
        var request = SavedRequest(
            name: address.name.isEmpty ? "/" : address.name, method: method, path: "", headers: try headers(body))
        address.set(on: &request)
        for item in items where item.kind == .query {
            request.query.append(Field(TemplateText.escaped(item.name), TemplateText.escaped(item.value)))
        }
        request.authentication = authentication(address)
        request.body = body
        return request
    }

    private func headers(_ body: SavedBody?) throws(FieldError) -> [Field] {
        var fields: [Field] = []
        for item in items {
            switch item.kind {
            case .header where item.isRemoval:
                if body != nil, item.isNamed("Content-Type") {
                    throw FieldError("\(item.name): a body always has one; write \(item.name):value")
                }
                fields.removeAll { item.isNamed($0.name) }
            case .header, .emptyHeader:
                let value = RequestTarget.trimmed(item.value)
                fields.append(Field(TemplateText.escaped(item.name), TemplateText.escaped(value)))
            case .headerFromFile, .query, .queryFromFile, .text, .textFromFile, .json, .jsonFromFile, .file: break
            }
        }
        return fields
    }

    /// The user of the URL, or none at all where the header is left out.
    private func authentication(_ address: CurlAddress) -> SavedAuthentication? {
        if let user = address.authentication({ TemplateText.escaped($0) }) { return user }
        return items.last { $0.kind == .header && $0.isNamed("Authorization") }?.isRemoval ?? false
            ? .noAuthentication : nil
    }
}

extension SendItem {
    /// Returns true for a header of that name, in any case.
    fileprivate func isNamed(_ header: String) -> Bool { name.lowercased() == header.lowercased() }
}

/// The body that the items of a command line make: JSON, a form, a form with files, a file, or a text.
struct ItemsBody {
    let items: [SendItem]
    let isForm: Bool
    let raw: String?
    let prefix: String

    /// Returns nil without any data.
    func body() throws(FieldError) -> SavedBody? {
        let data = items.filter(\.isData)
        if let raw {
            guard data.isEmpty else { throw FieldError("the body is either --raw or made of items, not both") }
            return .text(TextContent(TemplateText.escaped(raw), contentType: contentType(of: raw)))
        }
        if data.isEmpty { return nil }
        if let whole = data.first(where: { $0.kind == .file && $0.name.isEmpty }) {
            guard data.count == 1 else {
                throw FieldError("@\(whole.value) is the whole body; write name@file for a part of a form")
            }
            let (path, type) = file(whole)
            return .file(FileContent(path, contentType: type))
        }
        if data.contains(where: { $0.kind == .file }) { return .multipart(MultipartContent(try parts(data))) }
        guard isForm else { return .json(JSONContent(try object(data))) }
        let fields = try data.map { item throws(FieldError) in
            Field(TemplateText.escaped(item.name), try text(item))
        }
        return .form(FormContent(fields))
    }

    /// Nil for the type of plain text.
    private func contentType(of raw: String) -> String? {
        if isForm { return FormContent.note }
        return (try? JSONValue.parse(raw)) == nil ? nil : JSONContent.note
    }

    // MARK: Forms

    private func parts(_ data: [SendItem]) throws(FieldError) -> [MultipartPart] {
        try data.map { item throws(FieldError) in
            let name = TemplateText.escaped(item.name)
            guard item.kind == .file else { return MultipartPart(name, .text(try text(item))) }
            let (path, type) = file(item)
            return MultipartPart(name, .file(path), contentType: type)
        }
    }

    /// `name@path`, `name@path;type=image/png`
    private func file(_ item: SendItem) -> (path: String, type: String?) {
        let (path, type) = SendItem.typedFile(item.value)
        let isRelative = !path.hasPrefix("/") && !path.hasPrefix("~/")
        return (TemplateText.escaped(isRelative ? prefix + path : path), type.map { TemplateText.escaped($0) })
    }

    /// A field of a form is a text.
    private func text(_ item: SendItem) throws(FieldError) -> String {
        guard item.kind == .json else { return TemplateText.escaped(item.value) }
        switch try value(item) {
        case .string(let text): return TemplateText.escaped(text)
        case .number(let digits): return digits
        case .bool(let value): return value ? "true" : "false"
        case .null: return ""
        case .array, .object:
            throw FieldError("\(item.name): a form has texts alone; write \(item.name)=value, or leave out --form")
        }
    }

    // MARK: JSON

    private func object(_ data: [SendItem]) throws(FieldError) -> JSONValue {
        var members: [JSONValue.Member] = []
        for item in data {
            if item.name.contains("[") {
                let name = item.name.prefix { $0 != "[" }
                throw FieldError("\(item.name): brackets are not read; write \(name):='{\"key\": \"value\"}'")
            }
            let content = try item.kind == .json ? value(item) : .string(item.value)
            let member = JSONValue.Member(TemplateText.escaped(item.name), TemplateText.escaped(content))
            // As with HTTPie, the last one of a name counts.
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index] = member
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }

    private func value(_ item: SendItem) throws(FieldError) -> JSONValue {
        do throws(JSONSyntaxError) { return try JSONValue.parse(item.value) } catch {
            throw FieldError(
                "\(item.name):=\(item.value.excerpt(40)) is no JSON: \(error); write \(item.name)=value for a string")
        }
    }
}
