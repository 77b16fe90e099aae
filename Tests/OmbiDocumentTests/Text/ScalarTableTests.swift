import Testing

@testable import OmbiDocument

@Suite("The table of scalars")
struct ScalarTableTests {
    @Test func `the table says of every scalar what its class says, however often and from wherever it is asked`() async
    {
        let wrong = await withTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<3 { group.addTask { Self.disagreements(in: 0...0x1_1000) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(wrong.isEmpty, "these differ: \(wrong.prefix(10).map { String($0, radix: 16) })")
    }

    @Test func `the table takes a surrogate, which is no scalar, for something that cannot be printed`() {
        #expect(ScalarTable.code(of: 0xD800) == ScalarTable.unprintable)
    }

    private static func disagreements(in values: ClosedRange<UInt32>) -> [UInt32] {
        values.filter { value in
            guard let scalar = Unicode.Scalar(value) else { return false }
            let code = ScalarTable.code(of: value)
            return switch ScalarClass(scalar) {
            case .printable(let width): code != width
            case .mark: code != ScalarTable.mark
            case .selector: code != ScalarTable.selector
            case .joiner: code != ScalarTable.joiner
            case .skinTone: code != ScalarTable.skinTone
            case .unprintable: code != ScalarTable.unprintable
            }
        }
    }
}
