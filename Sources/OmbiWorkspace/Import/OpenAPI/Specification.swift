/// The operations of an OpenAPI document, each as the request that it describes.
package struct Specification: Sendable {
    package struct Operation: Sendable {
        /// The `operationId`; nil for one without.
        package let id: String?
        package let method: RequestMethod
        /// As the document writes it: `/users/{id}`.
        package let path: String
        package let parameters: [Parameter]
        package let responses: [DocumentedResponse]
        package let needsBody: Bool
        /// True for one that sends no response without credentials.
        let needsCredentials: Bool
        /// Its bodies, with the schemas of JSON and of forms.
        let bodies: [DocumentedBody]
        /// The same in the form of a request of a collection.
        let base: OperationBase

        /// `GET /users/{id}`
        package var address: String { "\(method.rawValue) \(path)" }
        /// The name by which an item is based on it.
        package var name: String { id ?? address }
    }

    package struct Parameter: Sendable, Equatable {
        package enum Location: String, Sendable, CaseIterable {
            case path, query, header, cookie
        }

        package let name: String
        package let location: Location
        package let isRequired: Bool
        /// The values that it may have; empty for any.
        package let values: [String]
        /// The schema of its one value; nil for that of a list or an object.
        let schema: DocumentedBody?

        /// Returns the reason why it cannot have a value, which is sent as a text; nil where it can.
        func difference(of text: String) -> String? {
            if !values.isEmpty {
                return values.contains(text) ? nil : "the document has \(values.joined(separator: ", ").excerpt(120))"
            }
            guard !text.isEmpty, let schema else { return nil }
            var readings: [JSONValue] = [.string(text)]
            if let value = try? JSONValue.parse(text) { readings.append(value) }
            let differences = readings.compactMap { schema.difference(of: $0) }
            guard differences.count == readings.count else { return nil }
            let reason = differences.last { !$0.hasPrefix("at $: expected the type") } ?? differences.first
            return reason.map { String($0.trimmingPrefix("at $: ")) }
        }
    }

    package let title: String
    package let operations: [Operation]
    /// The paths of the other files that it refers to.
    package let files: [String]
    /// Those that were not read, each with the reason.
    let unread: [String]
    /// The paths of the servers, which stand in front of those of the operations: `/v2`.
    let serverPaths: [String]

    /// - Parameters:
    ///   - path: the name of the document for messages.
    ///   - folder: that of the document, below which it may refer to other files; nil to read none.
    ///   - names: those of the operations that are read; nil for all.
    package init(
        _ content: [UInt8], path: String, in folder: ImportFolder? = nil, only names: Set<String>? = nil
    ) throws(ImportError) {
        var file = try ForeignFile(content, path: path)
        file.folder = folder
        guard OpenAPIImport.recognizes(file), let root = file.root else {
            if file.root == nil { throw file.unknown }
            throw ImportLog(file.bytes).error(0, "this is no OpenAPI document")
        }
        var reader = try OpenAPIImport.reader(of: file, root)
        title = ForeignText.name(root["info"]?["title"]?.text ?? "", or: file.name)
        operations = reader.described(only: names)
        serverPaths = reader.serverPaths()
        (files, unread) = (reader.bundle.files, reader.bundle.unread)
    }

    /// Returns the operation of an `operationId`, or of `METHOD /path`.
    package func operation(named name: String) -> Operation? {
        operations.first { $0.id == name } ?? operations.first { $0.address == name }
    }
}

extension OpenAPIReader {
    /// The operations as requests that are sent to the host of an environment, with the credentials of a collection.
    mutating func described(only names: Set<String>?) -> [Specification.Operation] {
        isLiving = true
        schemas.checksResponses = false
        var found: [Specification.Operation] = []
        for place in places() {
            guard let method = try? RequestMethod(text: place.method.uppercased()) else { continue }
            let id = id(of: place)
            let address = "\(method.rawValue) \(place.path)"
            if let names, !names.contains(address), !names.contains(id ?? address) { continue }
            let (responses, parameters) = (documented(place), described(place))
            found.append(
                Specification.Operation(
                    id: id, method: method, path: place.path, parameters: parameters, responses: responses,
                    needsBody: needsBody(place), needsCredentials: needsCredentials(place), bodies: bodies(place),
                    base: OperationBase(request(place), responses)))
        }
        return found
    }

    private mutating func described(_ place: Place) -> [Specification.Parameter] {
        parameters(of: place.operation, and: place.item).compactMap { parameter in
            guard let location = Specification.Parameter.Location(rawValue: parameter.location) else { return nil }
            let ignored = ["accept", "content-type", "authorization"]
            if location == .header, ignored.contains(parameter.name.lowercased()) { return nil }
            let (values, isScalar) = schemas.choices(of: parameter.schema)
            let schema = DocumentedBody(contentType: "", schema: parameter.schema, of: requestSchemas)
            return Specification.Parameter(
                name: parameter.name, location: location, isRequired: parameter.isRequired,
                values: values.map(Self.text), schema: isScalar && parameter.media == nil ? schema : nil)
        }
    }

    private mutating func bodies(_ place: Place) -> [DocumentedBody] {
        if version == .two {
            let body = parameters(of: place.operation, and: place.item).first { $0.location == "body" }
            return body.map { [DocumentedBody(contentType: "", schema: $0.schema, of: requestSchemas)] } ?? []
        }
        let content = place.operation["requestBody"].flatMap { resolved($0) }?["content"]?.members ?? []
        return content.map {
            DocumentedBody(
                contentType: ForeignText.line($0.key), schema: $0.value["schema"]?.json, of: requestSchemas)
        }
    }

    private mutating func needsBody(_ place: Place) -> Bool {
        if version == .two {
            return parameters(of: place.operation, and: place.item).contains {
                $0.location == "body" && $0.isRequired
            }
        }
        guard let written = place.operation["requestBody"] else { return false }
        return resolved(written)?["required"]?.bool ?? false
    }

    /// False where one alternative is none, or credentials that no request has.
    private func needsCredentials(_ place: Place) -> Bool {
        let alternatives = (place.operation["security"] ?? root["security"])?.elements ?? []
        return !alternatives.isEmpty
            && alternatives.allSatisfy { alternative in
                !alternative.members.isEmpty && alternative.members.allSatisfy { isKnown($0.key) }
            }
    }

    /// The paths in the URLs of the servers, without a slash at the end.
    fileprivate func serverPaths() -> [String] {
        if version == .two { return [Self.path(of: root["basePath"]?.text ?? "")] }
        return (root["servers"]?.elements ?? []).map { Self.path(of: serverURL($0)) }
    }

    private static func path(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        var path = String(rest.drop { $0 != "/" })
        while path.last == "/" { path.removeLast() }
        return path
    }
}

/// A request of a collection, as it is compared with a document.
package struct SpecifiedItem: Sendable {
    /// `shop/users/Get a user`
    package var name: String
    /// The file and the names by which its runs are recorded.
    package var place: ItemPath
    var request: SavedRequest
    /// False for a request that is based on an operation of another document.
    var isCandidate: Bool
    /// False for a request that sends none.
    var hasCredentials: Bool

    /// - Parameters:
    ///   - inherited: the credentials of a request without its own.
    ///   - document: the path of the document that is compared; `-` for one that comes by a pipe, which may be that of
    ///     any request.
    package init(
        _ name: String, _ place: ItemPath, _ request: SavedRequest, inheriting inherited: SavedAuthentication? = nil,
        document: String
    ) {
        (self.name, self.place, self.request) = (name, place, request)
        let authentication = request.authentication ?? inherited ?? .noAuthentication
        let rows = request.headers + request.query + request.cookies
        hasCredentials =
            authentication != .noAuthentication || LogMask.url(request.path) != request.path
            || rows.contains { $0.enabled && SecretDetector.isSensitive($0.name) }
        isCandidate = true
        if let operation = request.operation, document != "-" {
            let folder = RelativePath.folder(of: place.file)
            let own = RelativePath.resolve(operation.specification, folder: folder)
            isCandidate = (Workspace.real(own) ?? own) == (Workspace.real(document) ?? document)
        }
    }
}

/// The operations of a document by their names and their paths: a collection has thousands of requests to look up.
struct OperationIndex {
    private var ids: [String: Int] = [:]
    private var addresses: [String: Int] = [:]
    private var nodes = [Node()]

    /// A segment of paths; the first node is in front of all.
    private struct Node {
        /// The nodes of the segments behind it.
        var next: [String?: Int] = [:]
        /// The operations whose paths end here.
        var operations: [RequestMethod: Int] = [:]
    }

    /// A segment that may be any text.
    private static let anySegment: String? = nil

    init(_ document: Specification) {
        for (index, operation) in document.operations.enumerated() {
            if let id = operation.id, ids[id] == nil { ids[id] = index }
            if addresses[operation.address] == nil { addresses[operation.address] = index }
            for server in [""] + document.serverPaths {
                add(PathSegments(ofOperation: server + operation.path), operation.method, index)
            }
        }
    }

    private mutating func add(_ path: PathSegments, _ method: RequestMethod, _ index: Int) {
        var node = 0
        for segment in path.segments {
            if let known = nodes[node].next[segment] {
                node = known
                continue
            }
            let new = nodes.count
            nodes[node].next[segment] = new
            nodes.append(Node())
            node = new
        }
        if nodes[node].operations[method] == nil { nodes[node].operations[method] = index }
    }

    /// Returns the index of the operation that a request is about: the one that it is based on, else the one at its
    /// method and its path. Nil for none.
    func operation(of request: SavedRequest) -> Int? {
        if let name = request.operation?.name { return ids[name] ?? addresses[name] }
        return operation(at: request)
    }

    /// Returns the index of the first operation with the method and most segments of the path of a request.
    func operation(at request: SavedRequest) -> Int? {
        var places = [(node: 0, score: 0)]
        for segment in PathSegments(ofRequest: request.path).segments {
            var following: [(node: Int, score: Int)] = []
            for place in places {
                if let segment, let node = nodes[place.node].next[segment] {
                    following.append((node: node, score: place.score + 1))
                }
                if let node = nodes[place.node].next[Self.anySegment] {
                    following.append((node: node, score: place.score))
                }
            }
            places = following
        }
        let found = places.compactMap { place in
            nodes[place.node].operations[request.method].map { (index: $0, score: place.score) }
        }
        return found.max { ($0.score, -$0.index) < ($1.score, -$1.index) }?.index
    }
}

/// The segments of a path; nil for one that may be any text.
struct PathSegments {
    let segments: [String?]

    /// Reads `/users/{id}`.
    init(ofOperation path: String) {
        segments = Self.parts(path[...]).map { $0.contains("{") ? nil : $0 }
    }

    /// Reads `/users/:id`, `{{host}}/users/{{id}}` or a whole URL, without its query.
    init(ofRequest path: String) {
        var rest = path[...]
        if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}")?.upperBound {
            rest = rest[end...]
        } else if let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
        }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        segments = Self.parts(rest).map { $0.hasPrefix(":") || $0.contains("{{") ? nil : $0 }
    }

    private static func parts(_ path: Substring) -> [String] { path.split(separator: "/").map(String.init) }
}
