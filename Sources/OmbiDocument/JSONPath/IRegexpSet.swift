/// The characters that one position in a regular expression allows.
struct IRegexpSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var categories: [IRegexpCategory] = []
    var isNegated = false

    init() {}

    init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

    init(_ category: IRegexpCategory) { categories = [category] }

    /// `.`: anything but a line feed and a carriage return (RFC 9485, section 5.3).
    static var any: IRegexpSet {
        var result = IRegexpSet()
        result.ranges = [0x0A...0x0A, 0x0D...0x0D]
        result.isNegated = true
        return result
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isInside = ranges.contains { $0.contains(scalar.value) } || categories.contains { $0.contains(scalar) }
        return isInside != isNegated
    }
}
