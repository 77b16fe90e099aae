/// The strings of a collection file that may hold templates, and the requests.
struct TemplatePlaces {
    struct Place {
        var text: String
        /// Of the string, or of the key, with its quotes.
        var range: Range<Int>
        /// The variable whose value it is.
        var variable: String?
    }

    /// The name and the value of a header or a cookie.
    struct Header {
        var name: Place
        var value: Place
    }

    private(set) var places: [Place] = []
    /// The offsets of the requests, in the order of the tree.
    private(set) var requests: [Int] = []
    /// The offsets of their paths, in the same order.
    private(set) var paths: [Int] = []
    /// The offsets of their methods, in the same order.
    private(set) var methods: [Int] = []
    /// The offsets of their WebSockets, in the same order.
    private(set) var webSockets: [Int] = []
    /// The enabled headers.
    private(set) var headers: [Header] = []
    /// The enabled cookies.
    private(set) var cookies: [Header] = []
    /// The hosts of the environments that have one or need one.
    private(set) var hosts: [Place] = []
    /// The addresses of authorization servers, with their keys.
    private(set) var endpoints: [(key: String, place: Place)] = []
    private(set) var contentTypes: [Place] = []
    /// The strings of expectations, which are compared as they are written.
    private(set) var expected: [Place] = []
    private let document: JSONDocument

    private init(_ document: JSONDocument) { self.document = document }

    /// Collects from a collection, or from its local file.
    init(in document: JSONDocument) {
        self.init(document)
        if let root = document.firstRoot { collect(root) }
    }

    private static let rowsOfBodies: Set<String> = ["form", "multipart"]
    private static let endpointKeys: Set<String> = ["tokenURL", "deviceURL", "authorizationURL"]

    /// Collects from a collection, a folder, an environment or a request.
    private mutating func collect(_ object: JSONNode) {
        let members = document.members(of: object)
        if members["operation"] != nil && members["folder"] == nil || members["request"] != nil {
            let offset = document.range(of: object).lowerBound
            requests.append(offset)
            func place(of key: String) -> Int { members[key].map { document.range(of: $0.value).lowerBound } ?? offset }
            paths.append(place(of: "path"))
            methods.append(place(of: "method"))
            webSockets.append(place(of: "webSocket"))
        }
        let mayLackHost = members["inherits"] != nil || members["abstract"] != nil
        if let host = members["host"].flatMap({ place($0.value) }), !(host.text.isEmpty && mayLackHost) {
            hosts.append(host)
        }
        for member in members.all {
            let (key, node) = (member.key, member.value)
            switch MemberContent.of(key) {
            case .levels: for child in document.children(of: node) { collect(child) }
            case .variables: collectVariables(node)
            case .expectations:
                var strings = TemplatePlaces(document)
                strings.collectStrings(node)
                expected += strings.places
            case .body: collectBody(node)
            case .rows, .values:
                if key == "cookies" { cookies += pairs(in: node) }
                collectRows(node)
            case .authentication:
                collectEndpoints(node)
                collectStrings(node)
            case .headers:
                headers += pairs(in: node)
                collectRows(node)
            case .templates: collectStrings(node)
            case .plain, .unsent: break
            }
        }
    }

    private mutating func collectVariables(_ node: JSONNode) {
        for child in document.children(of: node) {
            let members = document.members(of: child)
            let name = members["name"].flatMap { document.text(of: $0.value)?.string }
            let value = members["value"]?.value ?? child
            if let variable = name ?? document.key(of: child)?.string { add(value, variable: variable) }
        }
    }

    private mutating func collectBody(_ node: JSONNode) {
        for child in document.children(of: node) {
            let key = document.key(of: child)?.string ?? ""
            if key == "contentType", let type = place(child) { contentTypes.append(type) }
            if Self.rowsOfBodies.contains(key) {
                collectRows(child)
            } else {
                collectStrings(child)
            }
        }
    }

    /// Collects from rows, but for their descriptions, which are for readers.
    private mutating func collectRows(_ node: JSONNode) {
        for row in document.children(of: node) {
            addKey(of: row)
            guard document.kind(of: row) == .object else {
                collectStrings(row)
                continue
            }
            for member in document.children(of: row) {
                let key = document.key(of: member)?.string
                if key == "contentType", let type = place(member) { contentTypes.append(type) }
                if key != "description" { collectStrings(member) }
            }
        }
    }

    /// From a list of objects with names, or an object whose keys are the names.
    private func pairs(in node: JSONNode) -> [Header] {
        var pairs: [Header] = []
        for child in document.children(of: node) {
            let isObject = document.kind(of: child) == .object
            let members = document.members(of: child)
            if members["enabled"]?.kind == .false { continue }
            var name = members["name"].flatMap { place($0.value) }
            if name == nil, let range = document.keyBytes(of: child), let key = document.key(of: child)?.string {
                name = Place(text: key, range: range)
            }
            let value = isObject ? members["value"].flatMap { place($0.value) } : place(child)
            guard let name, let value else { continue }
            pairs.append(Header(name: name, value: value))
        }
        return pairs
    }

    private func place(_ node: JSONNode) -> Place? {
        document.text(of: node).map { Place(text: $0.string, range: document.range(of: node)) }
    }

    private mutating func collectEndpoints(_ authentication: JSONNode) {
        guard document.kind(of: authentication) == .object else { return }
        for kind in document.children(of: authentication)
        where document.kind(of: kind) == .object && document.key(of: kind)?.string == "oauth2" {
            for member in document.children(of: kind) {
                guard let key = document.key(of: member)?.string, Self.endpointKeys.contains(key),
                    let place = place(member)
                else { continue }
                endpoints.append((key, place))
            }
        }
    }

    private mutating func collectStrings(_ node: JSONNode) {
        switch document.kind(of: node) {
        case .string: add(node)
        case .array, .object:
            for child in document.children(of: node) {
                addKey(of: child)
                collectStrings(child)
            }
        case .null, .true, .false, .number: break
        }
    }

    private mutating func addKey(of node: JSONNode) {
        guard let range = document.keyBytes(of: node), let key = document.key(of: node)?.string, key.contains("{{")
        else { return }
        places.append(Place(text: key, range: range))
    }

    private mutating func add(_ node: JSONNode, variable: String? = nil) {
        guard let text = document.text(of: node)?.string, text.contains("{{") else { return }
        places.append(Place(text: text, range: document.range(of: node), variable: variable))
    }
}

extension JSONDocument {
    /// Returns the offset in the file of an offset in the text of a string, whose characters may be escaped there.
    func offset(of place: TemplatePlaces.Place, at offset: Int) -> Int {
        let source = bytes(in: place.range)
        var left = String(decoding: place.text.utf8.prefix(offset), as: UTF8.self).utf16.count
        var index = source.first == UInt8(ascii: "\"") ? 1 : 0
        while left > 0, index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "\\") {
                index += index + 1 < source.count && source[index + 1] == UInt8(ascii: "u") ? 6 : 2
                left -= 1
            } else {
                let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                index += length
                left -= length == 4 ? 2 : 1
            }
        }
        return place.range.lowerBound + index
    }
}

/// Another name for a variable.
extension Collection {
    /// Returns the collection with the variable renamed wherever it is set, captured and used; nil where the new name is
    /// that of another variable, or a file beside the collection sets the old one.
    package func renaming(variable old: String, to new: String) -> Collection? {
        let isNew = (try? KnownVariables(self).check(.variable(new), in: nil)) == nil
        guard isNew, !overlay.sets(old) else { return nil }
        var renamed = self
        renamed.renameDefinitions(of: old, to: new)
        guard let text = renamed.text(renaming: old, to: new),
            var read = CollectionFile.read(text, file: "").collection
        else { return nil }
        read.renew(Dictionary(zip(read.ids, ids)) { first, _ in first })
        read.takeOverlay(from: self)
        return read
    }

    /// The number of requests that differ from those of an earlier state with the same items.
    package func requestCount(changedSince earlier: Collection) -> Int {
        zip(requests, earlier.requests).count { $0.json != $1.json }
    }

    private mutating func renameDefinitions(of old: String, to new: String) {
        variables.rename(\.name, old, to: new)
        for index in environments.indices {
            environments[index].variables.rename(\.name, old, to: new)
            environments[index].secrets.rename(\.name, old, to: new)
        }
        items = items.map { $0.renamingDefinitions(of: old, to: new) }
    }

    /// Returns the text of the file with another name in its templates.
    private func text(renaming old: String, to new: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard let document = try? JSONDocument(checking: Bytes(bytes)) else { return nil }
        var (result, copied): ([UInt8], Int) = ([], 0)
        let places = TemplatePlaces(in: document).places
        for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let renamed = TemplateScanner.renaming(variable: old, to: new, in: place.text)
            guard renamed != place.text else { continue }
            result += bytes[copied..<place.range.lowerBound]
            result += JSONValue.quoted(renamed).utf8
            copied = place.range.upperBound
        }
        return result + bytes[copied...]
    }
}

extension CollectionItem {
    fileprivate func renamingDefinitions(of old: String, to new: String) -> CollectionItem {
        switch self {
        case .request(var request):
            request.captures.rename(\.name, old, to: new)
            request.variables.rename(\.name, old, to: new)
            return .request(request)
        case .folder(var folder):
            folder.settings.variables.rename(\.name, old, to: new)
            folder.items = folder.items.map { $0.renamingDefinitions(of: old, to: new) }
            return .folder(folder)
        }
    }
}

extension CollectionOverlay {
    /// True where a file beside the collection sets a variable or a secret of that name.
    fileprivate func sets(_ name: String) -> Bool {
        (variables + environments.flatMap(\.variables)).contains { $0.name == name }
            || (secrets + environments.flatMap(\.secrets)).contains { $0.name == name }
            || envFiles.values.joined().contains(name)
    }
}

extension Array {
    fileprivate mutating func rename(_ name: WritableKeyPath<Element, String>, _ old: String, to new: String) {
        for index in indices where self[index][keyPath: name] == old { self[index][keyPath: name] = new }
    }
}
