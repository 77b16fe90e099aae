import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The difference between the bodies of two responses: JSON by its values, anything else by its bytes.
public enum BodyDifference: Equatable, Sendable {
    case same
    /// - isCut: true where there are more changes than are listed.
    case values([JSONValueChange], isCut: Bool)
    /// The reason why no values are compared, as a sentence without its subject.
    case other(String)

    /// The maximum number of changes that are listed.
    public static let maximumChanges = 1000
    /// The bytes of a body whose values are compared.
    static let maximumBytes = 64 << 20

    public init(from old: Data?, to new: Data?, ignoring paths: [JSONPath] = []) {
        let (old, new) = (old ?? Data(), new ?? Data())
        if old == new { self = .same } else { self = Self.different(old, new, paths) }
    }

    private static func different(_ old: Data, _ new: Data, _ paths: [JSONPath]) -> BodyDifference {
        guard max(old.count, new.count) <= maximumBytes else { return .other("larger than 64 MiB, and not the same") }
        guard let left = document(old), let right = document(new) else { return bytes(old, new) }
        let changes = JSONDiff.valueChanges(from: left, to: right, ignoring: paths, limit: maximumChanges + 1) ?? []
        if changes.isEmpty { return .same }
        return .values(Array(changes.prefix(maximumChanges)), isCut: changes.count > maximumChanges)
    }

    private static func bytes(_ old: Data, _ new: Data) -> BodyDifference {
        if old.isEmpty { return .other("there was no body") }
        if new.isEmpty { return .other("there is no body") }
        let common = zip(old, new).prefix { $0 == $1 }.count
        return .other("not both JSON; byte \(common) is the first that differs")
    }

    /// Returns nil for what is not JSON.
    private static func document(_ data: Data) -> JSONDocument? {
        let document = JSONIndex.document(Bytes(data))
        return document.error == nil && document.rootCount == 1 ? document : nil
    }

    /// The number of changes; 1 for bodies that are not compared by their values.
    public var count: Int {
        switch self {
        case .same: 0
        case .values(let changes, _): changes.count
        case .other: 1
        }
    }

    public var changes: [JSONValueChange] { if case .values(let changes, _) = self { changes } else { [] } }
}
