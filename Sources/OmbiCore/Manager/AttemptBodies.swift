#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bodies that a run keeps of attempts that another one followed, within limits. Equal bodies are kept once.
///
/// The body of the last attempt is the response of the run, and not counted. The oldest bodies go first, but for that of
/// the first attempt.
package struct AttemptBodies: Sendable, Equatable {
    /// In bytes.
    package static let maximumBody = 2 << 20
    /// In bytes, of all bodies.
    package static let maximumTotal = 32 << 20

    /// The consequences of a change for others that hold the same attempts.
    struct Changes {
        /// The attempts whose body is another object now, or no longer kept.
        var numbers: [Int] = []
        /// The values that are no longer kept, for release outside a lock.
        var values: [Any] = []
    }

    private struct Content: Equatable {
        var body: Data
        /// The numbers of the attempts with this body, in order.
        var attempts: [Int]
    }

    /// In the order in which they recurred last.
    private var contents: [Content] = []
    private var total = 0
    private var first: Int?

    package init() {}

    /// Limits the bodies of a list of attempts.
    package static func limit(_ reports: inout [AttemptReport]) {
        var bodies = AttemptBodies()
        for index in reports.indices.dropLast() { bodies.keep(index, of: &reports) }
    }

    /// Adds an attempt to a list, which is the only one that this value limits.
    package mutating func add(_ report: AttemptReport, to reports: inout [AttemptReport]) {
        if let last = reports.indices.last { keep(last, of: &reports) }
        reports.append(report)
    }

    /// Keeps the body of an attempt that another one follows.
    @discardableResult
    mutating func keep(_ index: Int, of reports: inout [AttemptReport]) -> Changes {
        let number = reports[index].number
        if first == nil { first = number }
        guard let body = reports[index].received?.body, !body.isEmpty else { return Changes() }
        guard body.count <= Self.maximumBody else {
            reports[index].omitBody()
            return Changes(numbers: [number], values: [body])
        }
        if let known = contents.firstIndex(where: { $0.body == body }) {
            reports[index].received?.body = contents[known].body
            contents[known].attempts.append(number)
            contents.append(contents.remove(at: known))
            return Changes(numbers: [number], values: [body])
        }
        contents.append(Content(body: body, attempts: [number]))
        total += body.count
        return removeOldest(from: &reports)
    }

    private mutating func removeOldest(from reports: inout [AttemptReport]) -> Changes {
        var changes = Changes()
        while total > Self.maximumTotal, let oldest = contents.firstIndex(where: { $0.attempts.first != first }) {
            let content = contents.remove(at: oldest)
            total -= content.body.count
            changes.numbers += content.attempts
            changes.values.append(content.body)
        }
        guard !changes.numbers.isEmpty else { return changes }
        for index in reports.indices where changes.numbers.contains(reports[index].number) {
            reports[index].omitBody()
        }
        return changes
    }

    /// Lets go of an attempt that is not listed any more; `first` is the one that begins the list then.
    mutating func forget(_ number: Int, first: Int?) {
        self.first = first
        guard let index = contents.firstIndex(where: { $0.attempts.contains(number) }) else { return }
        contents[index].attempts.removeAll { $0 == number }
        guard contents[index].attempts.isEmpty else { return }
        total -= contents.remove(at: index).body.count
    }
}

extension [AttemptReport] {
    /// True for an attempt whose response is not that of the run: another one followed, or was due to.
    package func isFollowed(_ index: Int) -> Bool { index < count - 1 || self[index].willRetry }
}

extension AttemptReport {
    /// Lets go of the body, and keeps its size.
    package mutating func omitBody() {
        guard let body = received?.body, !body.isEmpty else { return }
        omittedBody = body.count
        received?.body = nil
    }

    /// Lets go of the body and of those of the redirects before it.
    /// - Returns: The bodies, for release outside a lock.
    mutating func omitBodies() -> [Any] {
        var bodies: [Any] = []
        if let body = received?.body { bodies.append(body) }
        omitBody()
        for index in metrics.redirects.indices {
            guard let body = metrics.redirects[index].body else { continue }
            bodies.append(body)
            metrics.redirects[index].body = nil
        }
        return bodies
    }
}
