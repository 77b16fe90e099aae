import OmbiPlatform

/// The encodings of text, with their names in the WHATWG Encoding Standard.
package enum Charset: Sendable, Equatable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    case utf32LittleEndian
    case utf32BigEndian
    /// Also the encoding of the labels iso-8859-1 and ascii (Encoding Standard, section 4.2).
    case windows1252
    /// Any other encoding, by its name in the C library.
    case other(String)

    package var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .utf32LittleEndian: "UTF-32LE"
        case .utf32BigEndian: "UTF-32BE"
        case .windows1252: "windows-1252"
        case .other(let name): name
        }
    }

    /// Creates the encoding of a label. Returns nil for UTF-7, and for a label with characters that no label has.
    package init?(label: String) {
        let label = label.lowercased().filter { !" \t\"'".contains($0) }
        switch label {
        case "utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8": self = .utf8
        case "utf-16le", "utf-16", "utf16", "ucs-2", "iso-10646-ucs-2", "unicode", "csunicode":
            self = .utf16LittleEndian
        case "utf-16be", "unicodefffe": self = .utf16BigEndian
        case "utf-32le", "utf-32", "utf32", "ucs-4": self = .utf32LittleEndian
        case "utf-32be": self = .utf32BigEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "ascii", "us-ascii", "ansi_x3.4-1968",
            "windows-1252", "cp1252", "x-cp1252", "cp819", "ibm819":
            self = .windows1252
        default:
            let isLabel = label.utf8.allSatisfy { byte in
                byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
                    || "-_:.+()".utf8.contains(byte)
            }
            // UTF-7 is not an encoding of the web: it hides markup in letters, and errors in it go unnoticed.
            let isUTF7 = label.contains("utf-7") || label.contains("utf7")
            guard isLabel, !isUTF7, !label.isEmpty, label.utf8.count <= 40 else { return nil }
            self = .other(Self.aliases[label] ?? label)
        }
    }

    /// Labels of the web that the C library lacks, or takes for a narrower encoding.
    private static let aliases = [
        "shift_jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "ms_kanji": "cp932", "windows-31j": "cp932",
        "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
        "x-mac-roman": "macintosh", "macintosh": "macintosh", "iso-8859-9": "cp1254", "iso-8859-11": "cp874",
        "tis-620": "cp874", "x-euc-jp": "euc-jp", "big5": "big5-hkscs", "iso-8859-8-i": "iso-8859-8",
    ]
}

/// A text in another encoding, decoded to UTF-8 while it arrives. Invalid bytes become U+FFFD. Decoded text does not
/// move, so indexes of it are extended as they are over a body in UTF-8.
///
/// It belongs to one thread; its views may go to others.
package final class DecodedText {
    /// The offset of the first bytes that are invalid in this encoding, in the received bytes; nil when there are none.
    package private(set) var firstBad: Int?
    /// True if memory ran out.
    package private(set) var isCutOff = false
    private let decoder: any TextDecoding
    private var memory: GrowingMemory?
    private var taken = 0
    private var isFinished = false

    private static let piece = 1 << 18
    private static let maximumCapacity = IndexLimits.maximumByteCount
    /// Bytes of UTF-8 per byte: more than any encoding makes of one (a byte of TSCII can be four letters of Tamil).
    private static let maximumGrowth = 16

    /// Returns nil for an unknown encoding, and for UTF-8, which is shown from the bytes as received.
    package init?(_ charset: Charset) {
        guard let decoder = charset.decoder else { return nil }
        self.decoder = decoder
    }

    /// The text decoded so far.
    package var text: Bytes {
        memory.map { Bytes(base: $0.base, count: $0.count, owner: $0) } ?? .empty
    }

    /// Decodes the bytes since the last call, except for an incomplete letter at the end.
    /// - Parameters:
    ///   - bytes: All bytes received so far.
    ///   - isCancelled: Polled before each 256 KiB; the text then ends there.
    /// - Returns: The whole text so far.
    package func extend(over bytes: Bytes, isComplete: Bool, isCancelled: () -> Bool = { false }) -> Bytes {
        guard !isFinished, let memory = memory(for: bytes, isComplete: isComplete) else { return text }
        while !isCancelled() {
            let end = min(bytes.count, taken + Self.piece)
            let isLast = isComplete && end == bytes.count
            guard let done = decode(bytes[taken..<end], isLast: isLast, into: memory) else {
                isCutOff = true
                isFinished = true
                break
            }
            taken += done
            if isLast, taken == bytes.count {
                isFinished = true
                memory.trim()
                break
            }
            if done == 0 || taken == bytes.count && !isComplete { break }
        }
        return text
    }

    private func memory(for bytes: Bytes, isComplete: Bool) -> GrowingMemory? {
        if let memory { return memory }
        let isSmall = isComplete && bytes.count < Self.maximumCapacity / Self.maximumGrowth
        let capacity = isSmall ? bytes.count * Self.maximumGrowth + TextSink.reserve : Self.maximumCapacity
        memory = GrowingMemory(capacity: capacity)
        if memory == nil { isCutOff = true }
        return memory
    }

    /// Returns nil if there is no room.
    private func decode(_ piece: Bytes, isLast: Bool, into memory: GrowingMemory) -> Int? {
        var bad: Int?
        var done = 0
        let hasRoom = memory.append(atMost: piece.count * 4 + TextSink.reserve) { sink in
            done = decoder.decode(piece, isLast: isLast, into: &sink, bad: &bad)
        }
        guard hasRoom else { return nil }
        if let bad, firstBad == nil { firstBad = taken + bad }
        return done
    }
}

extension Charset {
    /// True for two or four bytes per letter.
    var isWide: Bool {
        switch self {
        case .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: true
        case .utf8, .windows1252, .other: false
        }
    }

    /// True if texts in this encoding can be shown.
    var isKnown: Bool { self == .utf8 || decoder != nil }

    fileprivate var decoder: (any TextDecoding)? {
        switch self {
        case .utf8: nil
        case .utf16LittleEndian: WideDecoder(size: 2, isLittleEndian: true)
        case .utf16BigEndian: WideDecoder(size: 2, isLittleEndian: false)
        case .utf32LittleEndian: WideDecoder(size: 4, isLittleEndian: true)
        case .utf32BigEndian: WideDecoder(size: 4, isLittleEndian: false)
        case .windows1252: Windows1252Decoder()
        case .other(let name): IconvDecoder(name: name)
        }
    }
}

/// Memory that grows and never moves: addresses are reserved for the maximum size, and pages of it are opened when they
/// are written to.
// Proof of Sendable: one thread, that of the DecodedText, writes, after the end of all views that were handed out; the
// memory is freed with the last of them.
final class GrowingMemory: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
    /// The number of bytes written.
    private(set) var count = 0
    private var reserved: Int
    private var opened = 0

    private static let step = 1 << 20
    private static let pageSize = max(Int(sysconf(CInt(_SC_PAGESIZE))), 4096)

    /// Returns nil if not even a step can be reserved.
    /// - Parameter capacity: The maximum size. Under a limit of the address space (ulimit -v), it may be less.
    init?(capacity: Int) {
        var length = Self.rounded(max(1, capacity), to: Self.pageSize)
        var range = Self.reserve(length)
        while range == nil, length > Self.step {
            length = Self.rounded(length / 2, to: Self.pageSize)
            range = Self.reserve(length)
        }
        guard let range else { return nil }
        base = range.assumingMemoryBound(to: UInt8.self)
        reserved = length
    }

    deinit { munmap(base, reserved) }

    /// Provides the memory after the written bytes.
    /// - Returns: false if there is no room for that many.
    func append(atMost most: Int, _ write: (inout TextSink) -> Void) -> Bool {
        guard open(count + most) else { return false }
        var sink = TextSink(base + count, room: most)
        write(&sink)
        count += sink.count
        return true
    }

    private func open(_ end: Int) -> Bool {
        guard end > opened else { return true }
        guard end <= reserved else { return false }
        let target = min(Self.rounded(end, to: Self.step), reserved)
        guard mprotect(base + opened, target - opened, PROT_READ | PROT_WRITE) == 0 else { return false }
        opened = target
        return true
    }

    /// Frees the unused memory of a complete text.
    func trim() {
        let used = max(Self.pageSize, Self.rounded(count, to: Self.pageSize))
        guard used < reserved else { return }
        munmap(base + used, reserved - used)
        (reserved, opened) = (used, min(opened, used))
    }

    private static func reserve(_ length: Int) -> UnsafeMutableRawPointer? {
        let range = mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE | MAP_ANON, -1, 0)
        return range == MAP_FAILED ? nil : range
    }

    private static func rounded(_ count: Int, to size: Int) -> Int { (count + size - 1) / size * size }
}
