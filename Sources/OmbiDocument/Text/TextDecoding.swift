/// A decoder of one encoding to UTF-8.
protocol TextDecoding {
    /// Appends the text of some bytes and returns the number of bytes consumed. It leaves an incomplete letter at the
    /// end, unless these are the last bytes, and anything that there is no room for. Sets `bad` to the first invalid
    /// offset.
    /// - Parameter output: Must have room for four bytes for each byte, and `TextSink.reserve` more.
    func decode(_ bytes: Bytes, isLast: Bool, into output: inout TextSink, bad: inout Int?) -> Int
}
