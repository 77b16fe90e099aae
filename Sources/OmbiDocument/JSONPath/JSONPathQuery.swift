/// A query within an expression: from the current value (`@`) or from the root (`$`).
struct JSONPathQuery: Sendable {
    var isRelative: Bool
    var segments: [JSONPathSegment]

    /// True if the query can give at most one value (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .wildcard, .slice, .filter: return false
            }
        }
    }

    var hasInnerSpace: Bool { segments.contains { $0.hasInnerSpace } }
}
