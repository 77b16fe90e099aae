import OmbiCore
import OmbiWorkspace

/// The runs that a replay compares with, and where it sends to.
struct ReplayTarget: Equatable, Sendable {
    var environment: String
    /// The environment of the recorded runs.
    var baseline: String?

    /// The number of requests at a time.
    static let concurrency = 4
}

/// The result of a run that is to be compared with a recorded run.
struct ReplayQuestion: Equatable, Sendable {
    /// The batch that asks, and its row.
    var batch: Int
    var row: Int
    var request: ItemPath
    var result: SessionResult
    var target: ReplayTarget
    /// The paths whose values may differ.
    var ignored: [String]
    /// True where the history has this run, too, which is then no other run to compare with.
    var isRecorded: Bool
}

/// The verdict of a replay on a response.
indirect enum ReplayVerdict: Equatable, Sendable {
    case compared(RunComparison)
    /// The reason why there is nothing to compare with, in a few words.
    case none(String)

    var isSame: Bool { if case .compared(let comparison) = self { comparison.isSame } else { false } }

    var comparison: RunComparison? { if case .compared(let comparison) = self { comparison } else { nil } }
}

/// Asks which values of a request differ from run to run, so that they say nothing in a comparison.
struct VolatileQuestion: Equatable, Sendable {
    var request: ItemPath
    var item: ItemID
    var environment: String?
    var status: Int?
    /// The paths whose values may differ already.
    var ignored: [String]
}

extension RequestMethod {
    /// The methods that are safe as in RFC 9110 §9.2.1: they only read.
    static let safe: [RequestMethod] = [.get, .head, .options, .trace]

    /// `GET, HEAD, OPTIONS and TRACE`, for help.
    static let safeNames: String = {
        let names = safe.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + names.suffix(1).map { " and " + $0 }.joined()
    }()

    var isSafe: Bool { Self.safe.contains(self) }
}

extension SavedRequest {
    /// True for a request that a replay sends without being told to: it only reads.
    var isReplayable: Bool { isSafe && !isWebSocket }

    /// True for a request that only reads. The method of one whose document is not read yet is not known.
    var isSafe: Bool { method.isSafe && !(operation?.isWithheld ?? false) }
}

extension RunOrder {
    /// The first request of the run that may change something, those that are sent first among them.
    var firstUnsafe: SavedRequest? { (sentFirst + [request]).first { !$0.isSafe } }
}
