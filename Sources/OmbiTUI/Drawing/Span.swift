/// A piece of text in one role. Rows are made of spans.
struct Span: Equatable, Sendable {
    var text: String
    var role: Role
}
