/// Names that are taken, and numbered ones for what wants the same. However many want one name, each takes one look-up.
struct UniqueNames: Sendable {
    private var taken: Set<String>
    /// The number to try next behind a name; none below it is free.
    private var next: [String: Int] = [:]
    /// The text between a name and its number.
    private let separator: String

    init(_ taken: Set<String> = [], separator: String = "") {
        (self.taken, self.separator) = (taken, separator)
    }

    mutating func insert(_ name: String) { taken.insert(name) }

    /// Takes a name, or with the lowest number from 2 on where it is taken.
    mutating func take(_ base: String) -> String {
        if taken.insert(base).inserted { return base }
        var number = next[base] ?? 2
        while !taken.insert("\(base)\(separator)\(number)").inserted { number += 1 }
        next[base] = number + 1
        return "\(base)\(separator)\(number)"
    }
}
