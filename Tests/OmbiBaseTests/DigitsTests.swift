import OmbiBase
import Testing

@Suite struct DigitsTests {
    @Test(arguments: [(0, "0000"), (0x2A, "002a"), (0xFFFF, "ffff"), (0x1F600, "1f600")])
    func `a number has zeros in front of fewer digits than wanted`(number: Int, digits: String) {
        #expect(number.digits(4, radix: 16) == digits)
        #expect(number.digits(4, radix: 16, uppercase: true) == digits.uppercased())
    }
}
