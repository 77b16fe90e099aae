import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The part of a result that a watch compares with the one before.
public struct WatchedResult: Equatable, Sendable {
    public let passed: Bool
    /// `200 OK`, or the reason why there is no response.
    public let outcome: String
    /// The first reason why it did not pass.
    let failure: String?
    public let duration: Duration
    /// Nil without a response, and for one that is too large to be compared.
    let body: Data?
    private let redactor: Redactor
    /// The paths whose values may differ.
    private let ignored: [String]

    /// A larger body is not compared.
    static let maximumBody = 1 << 20
    /// Paths that a change lists.
    private static let maximumPaths = 3
    /// A run counts as slower or faster from twice the time on, if that is more than this.
    private static let minimumDifference = Duration.milliseconds(100)

    /// - Parameter paths: JSONPaths; values there are no change.
    public init(_ result: SessionResult, ignoring paths: [String] = []) {
        ignored = paths
        passed = result.passed
        outcome =
            switch result.ending {
            case .response(let response): response.statusCode.map(StatusCode.words) ?? "no status"
            case .failure: "no response"
            case .cancelled: "cancelled"
            }
        failure = result.failures.first
        duration = result.report?.duration ?? .zero
        body = result.response?.body.flatMap { $0.count <= Self.maximumBody ? $0 : nil }
        redactor = result.redactor
    }

    /// Returns what differs from an earlier result, a sentence each; none where nothing does.
    public func changes(since before: WatchedResult) -> [String] {
        var changes: [String] = []
        if outcome != before.outcome { changes.append("\(before.outcome) → \(outcome)") }
        if failure != before.failure {
            if let failure, failure != outcome { changes.append(failure) }
            if failure == nil, outcome == before.outcome { changes.append("passes") }
        }
        if let time = timeChange(since: before) { changes.append(time) }
        if let body = bodyChange(since: before) { changes.append(body) }
        return changes
    }

    private func timeChange(since before: WatchedResult) -> String? {
        let (low, high) = (min(duration, before.duration), max(duration, before.duration))
        guard low > .zero, high >= low * 2, high - low >= Self.minimumDifference else { return nil }
        let word = duration > before.duration ? "slower" : "faster"
        return "\(word): \(before.duration.text) → \(duration.text)"
    }

    /// `$.stock, $.items[0].price and 2 more changed`
    private func bodyChange(since before: WatchedResult) -> String? {
        guard let body, let old = before.body, body != old else { return nil }
        let mayDiffer = ignored.compactMap { try? JSONPath($0) }
        guard let left = try? JSONDocument(checking: Bytes(old)), let right = try? JSONDocument(checking: Bytes(body)),
            let changes = JSONDiff.changes(from: left, to: right, ignoring: mayDiffer, limit: 1000)
        else { return "the body changed" }
        // The order of members and the layout mean nothing.
        guard !changes.isEmpty else { return nil }
        let (oldTree, newTree) = (JSONTree(left, columns: 80), JSONTree(right, columns: 80))
        let paths = changes.prefix(Self.maximumPaths).compactMap { change in
            change.new.map { newTree.shortPath(of: $0) } ?? change.old.map { oldTree.shortPath(of: $0) + " (gone)" }
        }
        let more = changes.count - paths.count
        return redactor.redact(message: paths.joined(separator: ", ")) + (more > 0 ? " and \(more) more" : "")
            + " changed"
    }
}

/// The result at which a watch ends by itself.
public enum WatchEnd: String, Equatable, Sendable, CaseIterable {
    case passes, fails

    /// Returns true for a result, or for all of a round, that ends the watch.
    public func isReached(passed: Bool) -> Bool { passed == (self == .passes) }
}
