import OmbiBase
import Testing

@Suite struct ASCIITests {
    @Test func `each byte is what its ASCII character is`() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            let isLetter = character.isASCII && character.isLetter
            #expect(byte.isASCIILetter == isLetter)
            #expect(byte.isASCIIDigit == ("0"..."9").contains(character))
            #expect(byte.isASCIIAlphanumeric == (byte.isASCIILetter || byte.isASCIIDigit))
            #expect(byte.lowercasedASCII == (isLetter ? character.lowercased().utf8.first : byte))
            #expect(byte.hexDigitValue.map { Int($0) } == character.hexDigitValue)
        }
    }
}
