/// One encoding: how its bytes become UTF-8.
protocol TextDecoding {
    /// Appends the text of some bytes and answers how many it took. It leaves the start of a letter at the end, unless
    /// these are the last bytes, and what there is no room for. `bad` is set to the first offset that is no text.
    /// - Parameter output: with room for four bytes for each byte, and `TextSink.reserve` more.
    func decode(_ bytes: Bytes, isLast: Bool, into output: inout TextSink, bad: inout Int?) -> Int
}
