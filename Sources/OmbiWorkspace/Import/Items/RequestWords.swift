import OmbiCore

/// A request as the words of a command line: `[METHOD] URL [ITEM…]`, as HTTPie takes them.
public struct RequestWords: Sendable, Equatable {
    /// Nil to send POST with a body, and GET without one.
    public var method: RequestMethod?
    public var url: String
    public var items: [SendItem]

    public init(_ words: [String]) throws(FieldError) {
        var rest = words[...]
        if rest.count > 1, let first = rest.first, Self.isMethod(first) {
            method = try RequestMethod(text: first.uppercased())
            rest.removeFirst()
        }
        let isMethodAlone = words.count == 1 && RequestMethod.allCases.contains { $0.rawValue == words[0] }
        guard !isMethodAlone, let url = rest.popFirst() else { throw FieldError("the URL is missing") }
        self.url = url
        items = []
        for word in rest { items.append(try SendItem(word)) }
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
    public func surroundings(_ collection: Collection) -> Collection {
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
    public func request(
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
        if let user = address.user {
            return .basic(
                BasicAuthentication(
                    username: TemplateText.escaped(user), password: TemplateText.escaped(address.password ?? "")))
        }
        return items.last { $0.kind == .header && $0.isNamed("Authorization") }?.isRemoval ?? false
            ? .noAuthentication : nil
    }
}

extension SendItem {
    /// Returns true for a header of that name, in any case.
    fileprivate func isNamed(_ header: String) -> Bool { name.lowercased() == header.lowercased() }
}
