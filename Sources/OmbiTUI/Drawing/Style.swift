/// The meaning of a cell, and its emphasis beyond that.
struct Style: Hashable, Sendable {
    var role: Role
    var traits: Traits

    init(_ role: Role, _ traits: Traits = []) {
        self.role = role
        self.traits = traits
    }

    static let plain = Style(.plain)

    static func role(_ role: Role, _ traits: Traits = []) -> Style { Style(role, traits) }

    func adding(_ more: Traits) -> Style { Style(role, traits.union(more)) }
}
