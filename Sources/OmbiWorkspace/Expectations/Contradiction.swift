import OmbiDocument

/// A condition that no value can meet together with another one.
struct Contradiction: Equatable, Sendable {
    /// The key of the condition.
    var key: String
    var reason: String
}

extension [ValueCondition] {
    /// The conditions that leave no value.
    var contradictions: [Contradiction] {
        var found: [Contradiction] = []
        if contains(.exists(false)), count > 1, let other = first(where: { $0 != .exists(false) }) {
            found.append(.init(key: other.key, reason: "contradicts \"exists\": false; remove one of them"))
        }
        if case .count(let comparison)? = first(where: { $0.key == "count" }), !comparison.isPossible {
            found.append(.init(key: "count", reason: "no count is below 0; \"exists\": false expects nothing there"))
        }
        return found + typeContradictions + rangeContradictions
    }

    private var types: [ValueType]? {
        for case .type(let types) in self { return types }
        return nil
    }

    private var typeContradictions: [Contradiction] {
        guard let types else { return [] }
        return compactMap { condition in
            let fitting: Set<ValueType> =
                switch condition {
                case .equals(let value): ValueType.types(of: value)
                case .matches: [.string]
                case .contains(.string): [.string, .array]
                case .contains: [.array]
                case .less, .atMost, .greater, .atLeast: [.number, .integer, .string]
                case .type, .count, .exists: Set(ValueType.allCases)
                }
            guard fitting.isDisjoint(with: types) else { return nil }
            let names = types.map(\.rawValue).joined(separator: " or ")
            return Contradiction(
                key: condition.key, reason: "holds for no value of the type \(names); correct \"type\" or remove it")
        }
    }

    private var rangeContradictions: [Contradiction] {
        var (lower, upper): ((value: Double, isOpen: Bool)?, (key: String, value: Double, isOpen: Bool)?)
        for condition in self {
            switch condition {
            case .greater(.number(let digits)): lower = Double(digits).map { ($0, true) }
            case .atLeast(.number(let digits)): lower = Double(digits).map { ($0, false) }
            case .less(.number(let digits)): upper = Double(digits).map { ("less", $0, true) }
            case .atMost(.number(let digits)): upper = Double(digits).map { ("atMost", $0, false) }
            default: break
            }
        }
        guard let lower, let upper else { return [] }
        let isEmpty = lower.value > upper.value || lower.value == upper.value && (lower.isOpen || upper.isOpen)
        return isEmpty ? [.init(key: upper.key, reason: "no number is both above and below these bounds")] : []
    }
}
