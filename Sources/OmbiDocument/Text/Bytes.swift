/// A range of bytes within a body, as offsets from its start.
public typealias ByteRange = Range<Int>

/// A view of contiguous bytes that do not move and do not change: the body of a response, or the part of it that has
/// arrived. Copying a view copies no bytes. The owner of the memory lives as long as any view of it.
///
/// `@unchecked Sendable`: the bytes are never written through a view, and the creator of a view guarantees that nobody
/// else writes to these bytes any more (a body grows beyond the end of existing views).
public struct Bytes: @unchecked Sendable {
    public let base: UnsafePointer<UInt8>
    public let count: Int
    private let owner: (any AnyObject & Sendable)?

    /// - Parameters:
    ///   - base: The first byte; the `count` bytes from there stay readable and unchanged as long as `owner` lives.
    public init(base: UnsafePointer<UInt8>, count: Int, owner: (any AnyObject & Sendable)?) {
        self.base = base
        self.count = max(0, count)
        self.owner = owner
    }

    /// Creates a view of a copy of some bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        self.init(capacity: bytes.count) { memory, _ in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// Creates a view of new memory.
    /// - Parameter fill: writes the memory from its start, and returns the number of bytes that it wrote. Its second argument
    ///   returns a view of that many bytes, which it has written for good.
    public init<Failure: Error>(
        capacity: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer, _ view: (Int) -> Bytes) throws(Failure) -> Int
    ) throws(Failure) {
        let owner = OwnedBytes(capacity: capacity)
        func view(_ count: Int) -> Bytes { Bytes(base: owner.base, count: min(count, capacity), owner: owner) }
        self = view(try fill(owner.memory, view))
    }

    public static let empty = Bytes([])

    public var isEmpty: Bool { count == 0 }

    /// The byte at an offset, and 0 outside of the view: parsers look ahead without bounds checks.
    @inlinable
    public subscript(offset: Int) -> UInt8 {
        offset >= 0 && offset < count ? base[offset] : 0
    }

    /// A part as a view of its own, clamped to this one. Its offsets start at 0 again.
    public subscript(range: ByteRange) -> Bytes {
        let range = clamp(range)
        return Bytes(base: base + range.lowerBound, count: range.count, owner: owner)
    }

    /// Returns the part of a range that lies within the view.
    @inlinable
    public func clamp(_ range: ByteRange) -> ByteRange {
        let start = min(max(0, range.lowerBound), count)
        return start..<min(max(start, range.upperBound), count)
    }

    /// Returns a part of the memory, valid as long as this view is alive: during a call that received it, or while a
    /// variable that is used afterwards holds it.
    func buffer(_ range: ByteRange) -> UnsafeBufferPointer<UInt8> {
        let range = clamp(range)
        return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// Lends a part of the memory, for example to write it to a file.
    public func withUnsafeBytes<Result>(
        _ range: ByteRange, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withExtendedLifetime(owner) { try body(UnsafeRawBufferPointer(buffer(range))) }
    }

    /// Returns true for equal bytes.
    public func hasBytes(of other: Bytes) -> Bool {
        guard count == other.count, base != other.base else { return count == other.count }
        return withExtendedLifetime((owner, other.owner)) { buffer(0..<count).elementsEqual(other.buffer(0..<count)) }
    }

    /// Returns a copy of a part.
    public func array(_ range: ByteRange) -> [UInt8] {
        withUnsafeBytes(range) { Array($0) }
    }

    /// Returns a range as text, with invalid UTF-8 repaired.
    public func text(_ range: ByteRange) -> String {
        String(decoding: buffer(range), as: UTF8.self)
    }

    public func starts(with prefix: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, prefix.count <= count - offset else { return false }
        for index in 0..<prefix.count where base[offset + index] != prefix[index] { return false }
        return true
    }
}

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

/// Memory for `Bytes` views. It is freed with the last view.
// Proof of Sendable: each byte is written only before there is a view that has it.
final class OwnedBytes: @unchecked Sendable {
    let base: UnsafePointer<UInt8>
    let memory: UnsafeMutableRawBufferPointer

    init(capacity: Int) {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, capacity))
        base = UnsafePointer(bytes)
        memory = UnsafeMutableRawBufferPointer(start: bytes, count: capacity)
    }

    deinit { base.deallocate() }
}
