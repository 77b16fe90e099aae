/// Why a text is not JSON, and where.
public struct JSONMistake: Error, Sendable, Equatable {
    public var position: Position
    /// What was expected and what was found, without the place.
    public var message: String

    public init(position: Position, message: String) {
        self.position = position
        self.message = message
    }
}

extension JSONMistake: CustomStringConvertible {
    public var description: String { "\(position): \(message)" }
}
