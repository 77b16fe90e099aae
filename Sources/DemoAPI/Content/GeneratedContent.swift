/// A generated PNG (W3C PNG, third edition).
enum PNG {
    /// Returns a picture whose colors change from left to right and from top to bottom; each side 1 to 1000 pixels.
    static func gradient(width: Int, height: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        for y in 0..<height {
            pixels.append(0)
            for x in 0..<width { pixels += [UInt8(x * 255 / width), UInt8(y * 255 / height), 160] }
        }
        let header = bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header)
            + chunk("IDAT", Deflate.zlib(pixels)) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return bigEndian(data.count) + content + bigEndian(Int(Checksum.crc32(content)))
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The deflate format with stored blocks: every decoder reads it, and no compression library is needed.
enum Deflate {
    /// RFC 1951 §3.2.4.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var begin = 0
        repeat {
            let end = min(begin + 65_535, bytes.count)
            let length = UInt16(end - begin)
            result.append(end == bytes.count ? 1 : 0)
            result += littleEndian(length) + littleEndian(~length) + bytes[begin..<end]
            begin = end
        } while begin < bytes.count
        return result
    }

    /// RFC 1952.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255] + stored(bytes) + littleEndian(Checksum.crc32(bytes))
            + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// RFC 1950: called “deflate” in HTTP, and used by PNG.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        [0x78, 0x01] + stored(bytes) + littleEndian(Checksum.adler32(bytes)).reversed()
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

/// The two checksums that gzip and PNG need.
enum Checksum {
    /// RFC 1952 §8.
    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
    }

    /// RFC 1950 §8.2.
    static func adler32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}

/// A JSON array of records of an exact length, generated in independent pieces. Every record takes 200 bytes with the
/// comma and the line break (the first one two less, for the bracket): its last field is cut to fit.
struct RecordArray: Sendable {
    static let recordSize = 200
    private static let recordsPerPiece = 500
    private static let cities = ["Berlin", "Lisbon", "Oslo", "Zurich", "Krakow", "Izmir", "Accra"]
    private static let filler = Array(
        "The quick brown fox jumps over the lazy dog and then sits down to read the documentation of this API. "
            .utf8)

    /// A multiple of the size of a record.
    let byteCount: Int

    private var recordCount: Int { byteCount / Self.recordSize }

    func piece(_ number: Int) -> [UInt8]? {
        let begin = number * Self.recordsPerPiece
        guard begin < recordCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.recordsPerPiece * Self.recordSize)
        for index in begin..<min(begin + Self.recordsPerPiece, recordCount) { append(index, to: &bytes) }
        return bytes
    }

    private func append(_ index: Int, to bytes: inout [UInt8]) {
        let end = bytes.count + Self.recordSize
        if index == 0 { bytes.append(contentsOf: "[\n".utf8) }
        let city = Self.cities[index % Self.cities.count]
        let head =
            #"{"id":\#(index + 1),"name":"record \#(index + 1)","city":"\#(city)","score":\#(index % 1000).25,"#
            + #""active":\#(index % 3 == 0),"tags":["t\#(index % 17)","t\#(index % 23)"],"note":""#
        bytes.append(contentsOf: head.utf8)
        for offset in 0..<max(0, end - 4 - bytes.count) { bytes.append(Self.filler[offset % Self.filler.count]) }
        bytes.append(contentsOf: index == recordCount - 1 ? "\"}\n]".utf8 : "\"},\n".utf8)
    }
}

/// SHA-256 (FIPS 180-4) and its message authentication code (RFC 2104), for the routes with digests and signatures.
enum SHA256 {
    static func hex(_ text: String) -> String { hex(hash(Array(text.utf8))) }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    static func authenticationCode(_ text: String, key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? hash(key) : key
        let padded = short + [UInt8](repeating: 0, count: 64 - short.count)
        return hash(padded.map { $0 ^ 0x5c } + hash(padded.map { $0 ^ 0x36 } + Array(text.utf8)))
    }

    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state = initial
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: bytes.count, by: 64) { add(bytes[start..<start + 64], to: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = (0..<16).map { index -> UInt32 in
            block[(block.startIndex + 4 * index)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
            let second = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var v = state
        for index in 0..<64 {
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let sum = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)
            let first = v[7] &+ sum &+ choice &+ constants[index] &+ words[index]
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            let second = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) &+ majority
            v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] &+= v[index] }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static let primes: [UInt32] = {
        var found: [UInt32] = []
        var number: UInt32 = 2
        while found.count < 64 {
            if found.allSatisfy({ number % $0 != 0 }) { found.append(number) }
            number += 1
        }
        return found
    }()

    /// The first bits of the fractions of the square roots of primes.
    private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    /// The same of their cube roots.
    private static let constants: [UInt32] = primes.map { prime in
        // Newton's method; 32 bits of a fraction are well within the precision of a Double.
        var root = Double(prime) / 3
        for _ in 0..<60 { root -= (root * root * root - Double(prime)) / (3 * root * root) }
        return fraction(root)
    }

    private static func fraction(_ value: Double) -> UInt32 {
        UInt32((value - value.rounded(.down)) * 4_294_967_296)
    }
}
