/// A mouse event, and the cell under the pointer.
package struct Mouse: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case press, release, drag, wheelUp, wheelDown, wheelLeft, wheelRight
    }

    package enum Button: Equatable, Sendable {
        case left, middle, right, other
        /// A wheel, or a release in an old protocol that does not name the button.
        case none
    }

    package var kind: Kind
    package var button: Button
    package var position: Point
    package var modifiers: Key.Modifiers

    package init(_ kind: Kind, button: Button = .none, position: Point, modifiers: Key.Modifiers = []) {
        self.kind = kind
        self.button = button
        self.position = position
        self.modifiers = modifiers
    }
}
