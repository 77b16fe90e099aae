import ArgumentParser
import OmbiWorkspace

/// Reads the texts of the options for a load.
enum LoadOptions {
    /// The requests of a load that may be in flight, where the command line does not say.
    static let maximumInFlight = 100

    /// Reads `50`, `50/s` or `0.5`; nil for no option.
    static func rate(_ text: String?) throws -> Double? {
        guard let text else { return nil }
        guard let rate = RateStage.rate(text), RunPlan.rates.contains(rate) else {
            let limits = RunPlan.rates
            throw ValidationError("--rate takes a number from \(limits.lowerBound) to \(Int(limits.upperBound)).")
        }
        return rate
    }

    /// Reads `10s:50/s,1m:200/s`; empty for no option.
    static func stages(_ text: String?) throws -> [RateStage] {
        guard let text else { return [] }
        guard let stages = RateStage.list(text) else {
            throw ValidationError(
                "--stages \(text): write durations and rates, such as 10s:50/s,1m:200/s, at most "
                    + "\(RateStage.maximumCount).")
        }
        return stages
    }
}
