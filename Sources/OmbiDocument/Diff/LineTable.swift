/// Gives equal lines equal numbers, in one text and across several.
struct LineTable {
    private let hash = ByteHash()
    private var numbers = HashNumbers()
    /// The first line of each number.
    private var lines: [UnsafeBufferPointer<UInt8>] = []
    /// Keeps the memory of `lines` alive.
    private var texts: [Bytes] = []

    /// - Returns: nil when cancelled.
    mutating func lines(of text: Bytes, isCancelled: () -> Bool = { false }) -> TextLines? {
        texts.append(text)
        var lines = TextLines(text)
        while let line = lines.next() {
            if lines.count & 0xFFFF == 0xFFFF, isCancelled() { return nil }
            lines.add(line, number: number(of: text.buffer(line.lowerBound..<LineIndex.withoutEnd(line, in: text))))
        }
        return isCancelled() ? nil : lines
    }

    private mutating func number(of line: UnsafeBufferPointer<UInt8>) -> Int32 {
        let number = numbers.number(of: hash(line)) { lines[Int($0)].elementsEqual(line) }
        if number == lines.count { lines.append(line) }
        return number
    }
}
