/// Shares as people write them.
package enum Percent {
    /// `100 %`, `99.5 %`: rounded down, so that only all is all.
    package static func text(_ share: Double) -> String {
        let tenths = Int((share * 1000 + 1e-9).rounded(.down))
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
