/// The requests of a collection in order, as far as they are recognised after others have renamed or moved them.
public struct CollectionOutline: Equatable, Sendable {
    public struct Request: Equatable, Sendable {
        /// Its name after those of its folders.
        public var names: [String]
        /// The method and the URL, or what stands for both.
        public var target: String

        public init(names: [String], target: String) {
            self.names = names
            self.target = target
        }
    }

    public var requests: [Request]

    public init(_ requests: [Request]) { self.requests = requests }

    public init(_ collection: Collection) {
        var requests: [Request] = []
        collection.forEachRequest { request, folders in
            let names = folders.map(\.name) + [request.name]
            requests.append(Request(names: names, target: "\(request.method.rawValue) \(request.path)"))
        }
        self.requests = requests
    }

    /// Returns the old and the new paths of requests that have another path than in an earlier outline. A request is
    /// recognised by its method and its URL; where several have the same, by its place in the order, too. What is ambiguous
    /// is left out.
    public func moved(since old: CollectionOutline) -> [(old: [String], new: [String])] {
        let (before, after) = (old.places, places)
        let (names, newNames) = (Set(before.map(\.names)), Set(after.map(\.names)))
        // Names that occur twice say nothing.
        guard names.count == before.count, newNames.count == after.count else { return [] }
        var gone = before.filter { !newNames.contains($0.names) }
        var come = after.filter { !names.contains($0.names) }
        guard !gone.isEmpty, !come.isEmpty else { return [] }
        return Self.pairs(&gone, &come, by: \.target) + Self.pairs(&gone, &come, by: \.place)
    }

    /// A request with what it is recognised by.
    private struct Candidate {
        var names: [String]
        var target: String
        /// The target with the place in the order.
        var place: String
    }

    private var places: [Candidate] {
        requests.enumerated().map { index, request in
            Candidate(names: request.names, target: request.target, place: "\(index) \(request.target)")
        }
    }

    /// Takes out the pairs of which a key is unique on both sides.
    private static func pairs(
        _ gone: inout [Candidate], _ come: inout [Candidate], by key: (Candidate) -> String
    ) -> [(old: [String], new: [String])] {
        let (left, right) = (Dictionary(grouping: gone, by: { key($0) }), Dictionary(grouping: come, by: { key($0) }))
        var pairs: [(old: [String], new: [String])] = []
        for place in gone where left[key(place)]?.count == 1 {
            guard let twins = right[key(place)], twins.count == 1 else { continue }
            pairs.append((place.names, twins[0].names))
        }
        gone.removeAll { place in pairs.contains { $0.old == place.names } }
        come.removeAll { place in pairs.contains { $0.new == place.names } }
        return pairs
    }
}

extension Collection {
    /// Returns the old and the new paths of requests that were renamed or moved where nobody could watch: in an editor, by git.
    public func movedRequests(since old: Collection) -> [(old: [String], new: [String])] {
        CollectionOutline(self).moved(since: CollectionOutline(old))
    }
}
