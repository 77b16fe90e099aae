/// A piece of text in one role: what rows are made of.
struct Span: Equatable, Sendable {
    var text: String
    var role: Role
}
