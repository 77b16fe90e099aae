/// The meaning of a cell, and its emphasis beyond that.
package struct Style: Hashable, Sendable {
    package var role: Role
    package var traits: Traits

    package init(_ role: Role, _ traits: Traits = []) {
        self.role = role
        self.traits = traits
    }

    package static let plain = Style(.plain)

    package static func role(_ role: Role, _ traits: Traits = []) -> Style { Style(role, traits) }

    package func adding(_ more: Traits) -> Style { Style(role, traits.union(more)) }
}
