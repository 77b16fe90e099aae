import Foundation

/// A request as it came over the wire.
public struct LoopbackRequest: Codable, Sendable, Hashable {
    /// From 1, over all connections.
    public var number = 0
    public var method: String
    /// Path and query, as sent.
    public var target: String
    /// Names in lower case; repeated fields joined with a comma.
    public var headers: [String: String]
    public var body: Data

    public var text: String { String(decoding: body, as: UTF8.self) }
}
