/// The time limit of a query, a schema or a pattern over a body: a file or a server may supply one that never ends. It
/// belongs to one thread.
package final class EvaluationTime {
    /// The limit for all evaluations over one body.
    package static let limit = Duration.seconds(10)

    /// The reason why an evaluation was not completed.
    package enum Interruption: Error, Equatable, Sendable {
        case tooLong, cancelled

        /// To follow a subject and a colon.
        package var reason: String {
            self == .cancelled ? "cancelled" : "no result within \(EvaluationTime.limit.components.seconds) s"
        }
    }

    /// The reason to stop; nil while the evaluation may continue.
    package private(set) var interruption: Interruption?
    private let end: ContinuousClock.Instant?
    private let isCancelled: () -> Bool
    private var left = EvaluationTime.interval

    /// The steps between two checks of the clock.
    static let interval = 4096

    /// - Parameters:
    ///   - limit: nil for none.
    ///   - isCancelled: Polled every `interval` steps; by default, the cancellation of the current task.
    package init(_ limit: Duration? = EvaluationTime.limit, isCancelled: @escaping () -> Bool = { Task.isCancelled }) {
        end = limit.map { .now + $0 }
        self.isCancelled = isCancelled
    }

    /// Counts steps of some ten nanoseconds each. Returns false once the evaluation is interrupted.
    @inline(__always) package func step(_ count: Int = 1) -> Bool {
        left &-= count
        return left > 0 ? interruption == nil : poll()
    }

    /// Returns false once the evaluation is interrupted.
    func poll() -> Bool {
        left = Self.interval
        guard interruption == nil else { return false }
        if isCancelled() { interruption = .cancelled } else if let end, .now > end { interruption = .tooLong }
        return interruption == nil
    }
}

/// The limits of an index, so that a small response that unpacks to a hostile one does not take all memory. The rest of
/// the body is shown as text.
package struct IndexLimits: Sendable, Equatable {
    /// Nested containers. Documents written by people have fewer than a hundred levels.
    package var depth: Int
    /// The memory of an index, in bytes.
    package var memory: Int
    /// Offsets are 32 bits wide.
    static let maximumByteCount = Int(UInt32.max)

    package init(depth: Int = 200_000, memory: Int = 512 << 20) {
        self.depth = depth
        self.memory = memory
    }
}

/// The limit at which an index stopped.
package enum IndexLimit: Sendable, Equatable, CustomStringConvertible {
    case depth(Int)
    /// In bytes.
    case memory(Int)

    /// A description to follow the subject: "JSON …".
    package var description: String {
        switch self {
        case .depth(let levels): "nested deeper than \(GroupedNumber.text(levels)) levels"
        case .memory(let bytes): "whose index takes more than \(GroupedNumber.text(bytes >> 20)) MiB"
        }
    }
}

/// Numbers formatted for people.
enum GroupedNumber {
    /// Returns a number with a comma between thousands.
    static func text(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }

    /// Returns a size such as `123 kB`, and from a million bytes on `1.2 MB`.
    static func bytes(_ count: Int) -> String {
        if count < 1_000_000 { return "\(text(count / 1000)) kB" }
        let tenths = count / 100_000
        return "\(text(tenths / 10)).\(tenths % 10) MB"
    }
}
