/// The last names of members, and what they say about their values: the bodies of an API have the same ones again and again.
package struct KnownNames: Sendable {
    enum Kind {
        case harmless, credential
        /// The code of a grant, or any other.
        case code
    }

    /// A name at the place that its hash has.
    private struct Entry {
        var name = Name()
        var kind = Kind.harmless
    }

    /// A short name as words, which are compared at once.
    private struct Name: Equatable {
        private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        private var count: UInt8 = 0

        init() {}

        /// Returns nil for a longer one.
        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let base = bytes.baseAddress, bytes.count <= MemoryLayout.size(ofValue: words) else { return nil }
            count = UInt8(bytes.count)
            withUnsafeMutableBytes(of: &words) { words in
                words.copyMemory(from: UnsafeRawBufferPointer(start: base, count: bytes.count))
            }
        }

        var hash: Int {
            let sum = (words.0 &+ words.1 &* 31 &+ words.2 &* 961) &* 0x9E37_79B9_7F4A_7C15
            return Int(sum >> UInt64(UInt64.bitWidth - KnownNames.bits))
        }

        static func == (one: Name, other: Name) -> Bool { one.words == other.words && one.count == other.count }
    }

    private var entries: [Entry] = []

    /// The bits of a place.
    private static let bits = 7

    package init() {}

    /// - Parameter name: In UTF-8, without escapes.
    mutating func kind(of name: UnsafeBufferPointer<UInt8>) -> Kind {
        guard !name.isEmpty, let short = Name(name) else { return Self.kind(of: name) }
        if entries.isEmpty { entries = [Entry](repeating: Entry(), count: 1 << Self.bits) }
        // Two that share a place and its neighbour change places.
        let (place, neighbour) = (short.hash, short.hash ^ 1)
        if entries[place].name != short {
            if entries[neighbour].name != short { entries[neighbour] = Entry(name: short, kind: Self.kind(of: name)) }
            entries.swapAt(place, neighbour)
        }
        return entries[place].kind
    }

    private static func kind(of name: UnsafeBufferPointer<UInt8>) -> Kind {
        if LogMask.isSensitive(name) { return .credential }
        return name.elementsEqual("code".utf8) ? .code : .harmless
    }
}
