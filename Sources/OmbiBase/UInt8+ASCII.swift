/// Bytes as ASCII characters. Inlinable, since parsers of other modules ask about every byte.
extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }

    @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable package var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }

    @inlinable package var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// From 0 to 15; nil unless it is a hexadecimal digit.
    @inlinable package var hexDigitValue: UInt8? {
        if isASCIIDigit { return self - 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}
