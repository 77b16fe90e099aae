import Testing

@testable import OmbiTerminal

/// Numbers as bars.
@Suite struct SparklineTests {
    @Test func `the lowest and the highest value are the lowest and the highest bar`() {
        #expect(Sparkline.text([0, 3, 6], columns: 10) == "▁▅█")
        #expect(Sparkline.text([-1e300, 1e300], columns: 10) == "▁█")
    }

    @Test func `only the newest values that fit are shown, and scale the bars`() {
        #expect(Sparkline.text([100, 1, 2], columns: 2) == "▁█")
        #expect(Sparkline.text([5, 5], columns: 3) == "▁▁")
        #expect(Sparkline.text([], columns: 3) == "")
        #expect(Sparkline.text([1], columns: 0) == "")
        #expect(Sparkline.text([.nan, 1, .infinity], columns: 9) == "▁")
    }

    @Test func `bars differ in ASCII, too`() {
        let bars = Sparkline.text([0, 1, 2, 3, 4, 5, 6], columns: 7).unicodeScalars
        let substitutes = bars.compactMap { GlyphSet.ascii.substitute(for: $0) }
        #expect(Set(substitutes).count == 7)
    }
}
