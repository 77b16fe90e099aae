/// A mouse event, and the cell under the pointer.
struct Mouse: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case press, release, drag, wheelUp, wheelDown, wheelLeft, wheelRight
    }

    enum Button: Equatable, Sendable {
        case left, middle, right, other
        /// A wheel, or a release in an old protocol that does not name the button.
        case none
    }

    var kind: Kind
    var button: Button
    var position: Point
    var modifiers: Key.Modifiers

    init(_ kind: Kind, button: Button = .none, position: Point, modifiers: Key.Modifiers = []) {
        self.kind = kind
        self.button = button
        self.position = position
        self.modifiers = modifiers
    }
}
