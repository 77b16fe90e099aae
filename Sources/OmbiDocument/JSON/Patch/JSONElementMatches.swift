/// Pairs the elements of a changed array with those of the old one: equal ones first, wherever they moved, then those
/// with the same name, then those changed in place.
struct JSONElementMatches {
    /// For each new element the index of the old one; nil for one that is new.
    private(set) var origins: [Int?]
    private var isTaken: [Bool]

    init(from old: [JSONValue], to new: [JSONValue], _ identifyingKeys: [String]) {
        origins = Array(repeating: nil, count: new.count)
        isTaken = Array(repeating: false, count: old.count)
        for index in 0..<min(old.count, new.count) where old[index] == new[index] { take(index, for: index) }
        match(old, new) { $0 }
        let name = { (value: JSONValue) in Self.name(of: value, identifyingKeys) }
        match(old, new, by: name)
        for index in new.indices where origins[index] == nil {
            let before = index == 0 ? 0 : origins[index - 1].map { $0 + 1 }
            let behind = index == new.count - 1 ? old.count - 1 : origins[index + 1].map { $0 - 1 }
            let near = [before, behind].compactMap(\.self).first { origin in
                old.indices.contains(origin) && !isTaken[origin]
                    && name(old[origin])?.first?.key == name(new[index])?.first?.key
            }
            if let near { take(near, for: index) }
        }
    }

    private mutating func take(_ origin: Int, for index: Int) {
        origins[index] = origin
        isTaken[origin] = true
    }

    /// Pairs elements with equal keys, in order.
    private mutating func match<Key: Hashable>(_ old: [JSONValue], _ new: [JSONValue], by key: (JSONValue) -> Key?) {
        guard origins.contains(where: { $0 == nil }) else { return }
        var free: [Key: [Int]] = [:]
        for index in old.indices.reversed() where !isTaken[index] {
            if let key = key(old[index]) { free[key, default: []].append(index) }
        }
        for index in new.indices where origins[index] == nil {
            if let key = key(new[index]), let origin = free[key]?.popLast() { take(origin, for: index) }
        }
    }

    /// Returns the member that identifies an element; nil if it has none.
    private static func name(of value: JSONValue, _ keys: [String]) -> [JSONValue.Member]? {
        keys.lazy.compactMap { key in value[key].map { [JSONValue.Member(key, $0)] } }.first
    }
}
