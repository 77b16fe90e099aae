/// A set of scalars, such as a character class, as ordered ranges that do not touch.
struct ScalarSet: Equatable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]

    static let last: UInt32 = 0x10FFFF

    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let end = self.ranges.last, range.lowerBound <= end.upperBound || range.lowerBound == end.upperBound + 1
            {
                let upper = max(end.upperBound, range.upperBound)
                self.ranges[self.ranges.count - 1] = end.lowerBound...upper
            } else {
                self.ranges.append(range)
            }
        }
    }

    init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= Self.last { gaps.append(next...Self.last) }
        return ScalarSet(gaps)
    }

    /// The set with the other cases of each letter (simple folding), but only for the first 1025 scalars of a range.
    var foldingCase: ScalarSet {
        var added = ranges
        for range in ranges {
            for value in range.lowerBound...min(range.upperBound, range.lowerBound + 1024) {
                guard let scalar = Unicode.Scalar(value) else { continue }
                added += Self.cases(of: scalar).map { $0.value...$0.value }
            }
        }
        return ScalarSet(added)
    }

    private static func cases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let texts = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
        var cases = texts.compactMap { $0.unicodeScalars.count == 1 ? $0.unicodeScalars.first : nil }
        cases += cases.compactMap { other in
            let lower = other.properties.lowercaseMapping.unicodeScalars
            return lower.count == 1 ? lower.first : nil
        }
        // Letters to which more than one other letter folds.
        switch scalar.value {
        case 0x3C3, 0x3C2, 0x3A3: cases += ["\u{3C3}", "\u{3C2}", "\u{3A3}"]
        case 0x3B2, 0x392: cases.append("\u{3D0}")
        case 0x3B8, 0x398: cases.append("\u{3D1}")
        case 0xE5, 0xC5: cases.append("\u{212B}")
        case 0xDF: cases.append("\u{1E9E}")
        default: break
        }
        return cases
    }

    static let digits = ScalarSet([0x30...0x39])
    static let spaces = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x3000...0x3000,
    ])
    /// Letters, digits and `_`. Beyond Latin-1, everything but spaces and punctuation blocks counts as a letter.
    static let words = ScalarSet([
        0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xAA...0xAA, 0xB5...0xB5,
        0xBA...0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x1FFF, 0x2070...0x2BFF, 0x2C00...0x2DFF, 0x3040...0xD7FF,
        0xF900...0xFDFF, 0xFE70...0xFEFE, 0xFF10...0xFFEF, 0x10000...0x1EFFF, 0x20000...0x3FFFF,
    ])
    static let notLineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D]).inverted

    // Those of ECMA-262.
    static let scriptSpaces = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    static let scriptWords = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let notScriptLineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted
}

extension ScalarSet {
    /// Returns the set of a Unicode category (`Lu`) or a group of them (`L`); nil for
    /// any other name.
    static func category(_ name: String) -> ScalarSet? {
        guard name.unicodeScalars.count <= 2 else { return nil }
        let sets = names.filter { name.unicodeScalars.count == 1 ? $0.key.hasPrefix(name) : $0.key == name }
            .compactMap { categories[$0.value] }
        return sets.isEmpty ? nil : ScalarSet(sets.flatMap(\.ranges))
    }

    private static let categories: [Unicode.GeneralCategory: ScalarSet] = {
        var ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = [:]
        var (first, last): (UInt32, Unicode.GeneralCategory) = (0, .control)
        for value in 1...(ScalarSet.last + 1) {
            let category = Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate
            guard category != last || value > ScalarSet.last else { continue }
            ranges[last, default: []].append(first...(value - 1))
            (first, last) = (value, category)
        }
        return ranges.mapValues { ScalarSet($0) }
    }()

    private static let names: [String: Unicode.GeneralCategory] = [
        "Ll": .lowercaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter, "Lt": .titlecaseLetter,
        "Lu": .uppercaseLetter, "Mc": .spacingMark, "Me": .enclosingMark, "Mn": .nonspacingMark,
        "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
        "Pd": .dashPunctuation, "Pe": .closePunctuation, "Pf": .finalPunctuation, "Pi": .initialPunctuation,
        "Po": .otherPunctuation, "Ps": .openPunctuation, "Zl": .lineSeparator, "Zp": .paragraphSeparator,
        "Zs": .spaceSeparator, "Sc": .currencySymbol, "Sk": .modifierSymbol, "Sm": .mathSymbol, "So": .otherSymbol,
        "Cc": .control, "Cf": .format, "Cn": .unassigned, "Co": .privateUse,
    ]
}

/// The UTF-8 of a range of scalars as sequences of byte ranges.
enum UTF8Sequences {
    static func of(_ set: ScalarSet) -> [[ClosedRange<UInt8>]] {
        var sequences: [[ClosedRange<UInt8>]] = []
        for range in set.ranges { split(range, into: &sequences) }
        return sequences
    }

    /// Splits a range until the first and the last scalar differ only in bytes that take all values between.
    private static func split(_ range: ClosedRange<UInt32>, into sequences: inout [[ClosedRange<UInt8>]]) {
        let (low, high) = (range.lowerBound, range.upperBound)
        // Surrogates have no UTF-8.
        if low < 0xD800, high >= 0xD800 { return cut(range, after: 0xD7FF, into: &sequences) }
        if low <= 0xDFFF, high > 0xDFFF, low >= 0xD800 { return split(0xE000...high, into: &sequences) }
        if low >= 0xD800, high <= 0xDFFF { return }
        for limit: UInt32 in [0x7F, 0x7FF, 0xFFFF] where low <= limit && high > limit {
            return cut(range, after: limit, into: &sequences)
        }
        if high > 0x7F {
            for bits in [UInt32(6), 12, 18] {
                let mask: UInt32 = (1 << bits) - 1
                guard low & ~mask != high & ~mask else { continue }
                if low & mask != 0 { return cut(range, after: low | mask, into: &sequences) }
                if high & mask != mask { return cut(range, after: (high & ~mask) - 1, into: &sequences) }
            }
        }
        guard let first = Unicode.Scalar(low), let last = Unicode.Scalar(high) else { return }
        sequences.append(zip(UTF8.encode(first) ?? .init(), UTF8.encode(last) ?? .init()).map { $0...$1 })
    }

    private static func cut(
        _ range: ClosedRange<UInt32>, after limit: UInt32, into sequences: inout [[ClosedRange<UInt8>]]
    ) {
        split(range.lowerBound...limit, into: &sequences)
        split((limit + 1)...range.upperBound, into: &sequences)
    }
}
