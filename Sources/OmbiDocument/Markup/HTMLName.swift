/// The name of an HTML element, in any case, as a number that is fast to look up. Names of more than eight letters are
/// distinguished by the first eight and by their length.
struct HTMLName: Hashable, Sendable, ExpressibleByStringLiteral {
    private let letters: UInt64
    private let length: Int

    init(stringLiteral name: String) { self.init(name.utf8, length: name.utf8.count) }

    init(_ range: ByteRange, in bytes: Bytes) { self.init(bytes.buffer(range), length: range.count) }

    private init(_ name: some Sequence<UInt8>, length: Int) {
        letters = name.prefix(8).reduce(0) { $0 << 8 | UInt64($1 >= 0x41 && $1 <= 0x5A ? $1 | 0x20 : $1) }
        self.length = length
    }
}
