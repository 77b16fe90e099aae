/// A step of a cursor through a list or a body.
package enum Movement: Equatable, Sendable {
    case up, down, left, right
    case pageUp, pageDown
    case halfPageUp, halfPageDown
    case top, bottom
}
