/// A piece of text in one role. Rows are made of spans.
package struct Span: Equatable, Sendable {
    package var text: String
    package var role: Role
    package var traits: Traits

    package init(text: String, role: Role, traits: Traits = []) {
        self.text = text
        self.role = role
        self.traits = traits
    }
}
