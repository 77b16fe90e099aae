import OmbiCore

/// A request of a collection, as it is compared with a document.
public struct SpecifiedItem: Sendable {
    /// `shop/users/Get a user`
    public var name: String
    /// The file and the names by which its runs are recorded.
    public var place: ItemPath
    var request: SavedRequest
    /// False for a request that is based on an operation of another document.
    var isCandidate: Bool

    /// - Parameter document: the path of the document that is compared.
    public init(_ name: String, _ place: ItemPath, _ request: SavedRequest, document: String) {
        (self.name, self.place, self.request) = (name, place, request)
        isCandidate = true
        if let operation = request.operation {
            let folder = place.file.lastIndex(of: "/").map { String(place.file[..<$0]) } ?? ""
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

    /// Returns the index of the operation that a request is about: the one that it is based on, else the first one with
    /// its method and most segments of its path. Nil for none.
    func operation(of request: SavedRequest) -> Int? {
        if let name = request.operation?.name { return ids[name] ?? addresses[name] }
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
