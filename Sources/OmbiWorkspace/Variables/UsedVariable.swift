/// The level that defines a part of a request.
public enum Provenance: Hashable, Sendable {
    case request
    case collection
    case folder(String, ItemID)
    case environment(String)
    /// The number of a row in a file of data.
    case row(Int)
    case commandLine
    /// Captured by a request from its response.
    case captured(by: String)
    /// A default, or a header that is added when the request is sent.
    case ombi
}

/// A variable that was filled in, and the level that defines it.
public struct UsedVariable: Equatable, Sendable {
    public var name: String
    /// Masked as far as it holds secrets.
    public var value: String
    public var source: Provenance

    public init(name: String, value: String, source: Provenance) {
        self.name = name
        self.value = value
        self.source = source
    }
}

extension Provenance: CustomStringConvertible {
    public var description: String {
        switch self {
        case .request: "from the request"
        case .collection: "from the collection"
        case .folder(let name, _): "from folder \(name)"
        case .environment(let name): "from environment \(name)"
        case .row(let number): "from row \(number)"
        case .commandLine: "from the command line"
        case .captured(let request): "captured by \(request)"
        case .ombi: "added by Ombi"
        }
    }
}
