extension Bytes {
    /// Returns an unsigned number of up to seven bytes; bytes outside of the view are 0.
    func bigEndian(_ offset: Int, _ length: Int) -> Int {
        var number = 0
        for index in 0..<length { number = number << 8 | Int(self[offset + index]) }
        return number
    }

    /// Returns the same number with the lowest byte first.
    func littleEndian(_ offset: Int, _ length: Int) -> Int {
        var number = 0
        for index in (0..<length).reversed() { number = number << 8 | Int(self[offset + index]) }
        return number
    }
}
