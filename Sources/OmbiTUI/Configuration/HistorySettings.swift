import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The settings of the history, of which there is one for all collections.
struct HistorySettings: Equatable, Sendable {
    /// False where nothing is kept.
    var records = true
    var limits = HistoryLimits()
    /// False where the rows of requests do not show their last runs.
    var showsSparklines = true

    static let keyNames = [
        "record", "sparklines", "maximumDays", "maximumRuns", "maximumMegabytes", "maximumBodyMegabytes",
    ]

    /// The settings where they cannot be read: they may say that nothing is kept.
    static let unreadable = HistorySettings(records: false)

    /// The history of the user; nil where nothing is kept, and without a home folder.
    func open() -> History? {
        guard records, let path = History.standardPath else { return nil }
        return History(path: path, limits: limits)
    }
}

extension HistorySettings {
    init(reading object: ObjectReader) {
        object.warnOfUnknown(besides: Self.keyNames)
        records = object.bool("record") ?? (object.value("record") == nil)
        showsSparklines = object.bool("sparklines") ?? true
        if let days = object.integer("maximumDays", in: 1...36_500) { limits.maximumAge = .seconds(days * 86_400) }
        if let runs = object.integer("maximumRuns", in: 1...100_000_000) { limits.maximumRuns = runs }
        if let size = object.integer("maximumMegabytes", in: 1...1_000_000) { limits.maximumSize = size << 20 }
        if let size = object.integer("maximumBodyMegabytes", in: 0...1024) { limits.maximumBody = size << 20 }
    }
}

extension SessionSteps {
    /// The same steps, with every run recorded.
    func recording(in history: History?) -> SessionSteps {
        guard let history else { return self }
        var steps = self
        steps.record = { await history.record($0, $1) }
        return steps.fallingBack(on: history)
    }

    /// The same steps, with responses of a history that stand in for those that fail.
    func fallingBack(on history: History?) -> SessionSteps {
        guard let history else { return self }
        var steps = self
        steps.lastGood = { order, request in
            do throws(HistoryError) {
                let run = try await history.lastGood(order.itemPath, environment: order.environment, request)
                guard let run, let response = run.result.response else { return nil }
                return .response(
                    FallbackResponse(.run(run.entry.id), date: run.entry.startedAt, now: Date(), response: response))
            } catch { return .missing(error.description) }
        }
        return steps
    }
}
