/// Shares as people write them, rounded to the nearest. But only all is 100 %, and only nothing is 0 %.
package enum Percent {
    /// `100 %`, `99.5 %`
    package static func text(_ share: Double) -> String { number(share, places: 1) + " %" }

    /// `47%`, where room is scarce.
    package static func short(_ share: Double) -> String { number(share, places: 0) + "%" }

    /// With as many digits as tell the share from a limit, up to six.
    package static func distinct(_ share: Double, from limit: Double) -> String {
        let places = (1...6).first { number(share, places: $0) != number(limit, places: $0) }
        return number(share, places: places ?? 1) + " %"
    }

    private static func number(_ share: Double, places: Int) -> String {
        let step = (0..<places).reduce(1.0) { step, _ in step / 10 }
        var percent = share * 100
        if share > 0 { percent = max(step, percent) }
        if share < 1 { percent = min(100 - step, percent) }
        return TimeText.decimal(percent, places: places, trimsZeros: true)
    }
}
