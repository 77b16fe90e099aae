import OmbiCore

/// Delivers a pattern, and more or less of it than was announced, or an error after it.
final class PatternReader: BodyReader {
    struct Broken: Error, CustomStringConvertible {
        let description = "the disk is gone"
    }

    private var position = 0
    private let length: Int
    private let fails: Bool
    private let onRead: (Int) -> Void

    init(length: Int, fails: Bool = false, onRead: @escaping (Int) -> Void = { _ in }) {
        self.length = length
        self.fails = fails
        self.onRead = onRead
    }

    static func byte(at position: Int) -> UInt8 { UInt8(truncatingIfNeeded: position &* 31 &+ position >> 9) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        onRead(buffer.count)
        let count = min(buffer.count, length - position)
        if count == 0, fails { throw Broken() }
        for index in 0..<count { buffer[index] = Self.byte(at: position + index) }
        position += count
        return count
    }
}
