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
