/// A JSON syntax error and its position.
public struct JSONMistake: Error, Sendable, Equatable {
    public var position: Position
    /// The expected and the found text, without the position.
    public var message: String

    public init(position: Position, message: String) {
        self.position = position
        self.message = message
    }
}

extension JSONMistake: CustomStringConvertible {
    public var description: String { "\(position): \(message)" }
}
