/// A text split into lines, with a number for each: equal lines have equal numbers.
struct TextLines {
    let bytes: Bytes
    private(set) var numbers: [Int32] = []
    /// The start of each line, and of the one to come.
    private var starts = [0]

    init(_ bytes: Bytes) { self.bytes = bytes }

    var count: Int { numbers.count }

    /// A line without its line ending.
    subscript(line: Int) -> ByteRange {
        starts[line]..<LineIndex.withoutEnd(starts[line]..<starts[line + 1], in: bytes)
    }

    /// Returns the line after those that were added, with its line ending; nil at the end.
    func next() -> ByteRange? {
        let start = starts[starts.count - 1]
        return start < bytes.count ? start..<(LineIndex.nextLine(after: start, in: bytes) ?? bytes.count) : nil
    }

    mutating func add(_ line: ByteRange, number: Int32) {
        numbers.append(number)
        starts.append(line.upperBound)
    }
}
