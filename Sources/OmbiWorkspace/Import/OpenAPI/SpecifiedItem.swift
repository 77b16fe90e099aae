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

extension Specification {
    /// Returns the index of the operation that a request is about: the one that it is based on, else the one with its
    /// method and its path. Nil for none.
    func index(of request: SavedRequest) -> Int? {
        if let name = request.operation?.name {
            return operations.firstIndex { $0.id == name } ?? operations.firstIndex { $0.address == name }
        }
        let segments = PathSegments(ofRequest: request.path)
        var best: (index: Int, score: Int)?
        for (index, operation) in operations.enumerated() where operation.method == request.method {
            let path = PathSegments(ofOperation: operation.path)
            let scores = ([""] + serverPaths).compactMap { segments.score(PathSegments(ofOperation: $0) + path) }
            guard let score = scores.max(), score > best?.score ?? -1 else { continue }
            best = (index, score)
        }
        return best?.index
    }
}

/// The segments of a path; nil for one that may be any text.
struct PathSegments: Equatable {
    private var segments: [String?]

    private init(_ segments: [String?]) { self.segments = segments }

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

    static func + (left: PathSegments, right: PathSegments) -> PathSegments {
        PathSegments(left.segments + right.segments)
    }

    /// The number of segments that are the same in the path of an operation; nil where one differs.
    func score(_ operation: PathSegments) -> Int? {
        guard segments.count == operation.segments.count else { return nil }
        var score = 0
        for case (let mine, let theirs?) in zip(segments, operation.segments) {
            guard mine == theirs else { return nil }
            score += 1
        }
        return score
    }
}
