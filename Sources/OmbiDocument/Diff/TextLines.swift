/// A text cut into lines, and a number for each: equal lines have equal ones.
struct TextLines {
    let bytes: Bytes
    private(set) var numbers: [Int32] = []
    /// Where each line begins, and where the next would.
    private var starts = [0]

    init(_ bytes: Bytes) { self.bytes = bytes }

    var count: Int { numbers.count }

    /// A line without its end.
    subscript(line: Int) -> ByteRange {
        starts[line]..<LineIndex.withoutEnd(starts[line]..<starts[line + 1], in: bytes)
    }

    /// The line behind those that were added, with its end.
    func next() -> ByteRange? {
        let start = starts[starts.count - 1]
        return start < bytes.count ? start..<(LineIndex.nextLine(after: start, in: bytes) ?? bytes.count) : nil
    }

    mutating func add(_ line: ByteRange, number: Int32) {
        numbers.append(number)
        starts.append(line.upperBound)
    }
}
