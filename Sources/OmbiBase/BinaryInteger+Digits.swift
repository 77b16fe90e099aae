extension BinaryInteger {
    /// Returns the digits of a number from 0 on, with zeros in front of fewer than `count`.
    @inlinable package func digits(_ count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
    }
}
