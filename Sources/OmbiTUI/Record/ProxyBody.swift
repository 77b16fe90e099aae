/// Takes the body of a request off the bytes of its connection, piece by piece (RFC 9112 §6 and §7.1).
struct ProxyBody: Sendable {
    private enum Part: Sendable {
        /// The bytes that are left of a body with a length.
        case rest(Int)
        /// The line in front of a chunk.
        case size
        /// The bytes that are left of a chunk.
        case chunk(Int)
        /// The line end behind a chunk.
        case chunkEnd
        /// The lines behind the last chunk, which are not passed on.
        case trailers
        case end
    }

    private var part: Part
    private var line: [UInt8] = []
    private var trailerCount = 0
    /// The bytes so far.
    private(set) var size = 0

    /// In bytes, without its end.
    private static let maximumLine = 4096
    private static let maximumTrailers = 100

    init(_ framing: ProxyHead.Framing) {
        switch framing {
        case .length(let count): part = count == 0 ? .end : .rest(count)
        case .chunked: part = .size
        }
    }

    var isComplete: Bool { if case .end = part { true } else { false } }

    /// Returns the next bytes of the body, and takes all that belongs to it from the start of the input.
    mutating func take(_ input: inout ArraySlice<UInt8>) throws(ProxyHead.Problem) -> [UInt8] {
        var body: [UInt8] = []
        while !input.isEmpty, !isComplete {
            switch part {
            case .rest(let count):
                let taken = move(min(count, input.count), from: &input, to: &body)
                part = taken == count ? .end : .rest(count - taken)
            case .chunk(let count):
                let taken = move(min(count, input.count), from: &input, to: &body)
                part = taken == count ? .chunkEnd : .chunk(count - taken)
            case .size, .chunkEnd, .trailers:
                guard let line = try nextLine(&input) else { return body }
                try read(line)
            case .end: return body
            }
        }
        return body
    }

    private mutating func move(_ count: Int, from input: inout ArraySlice<UInt8>, to body: inout [UInt8]) -> Int {
        body += input.prefix(count)
        input = input.dropFirst(count)
        size += count
        return count
    }

    /// Returns a line without its end; nil where the end has not come.
    private mutating func nextLine(_ input: inout ArraySlice<UInt8>) throws(ProxyHead.Problem) -> [UInt8]? {
        while let byte = input.first {
            input = input.dropFirst()
            guard byte == 0x0A else {
                guard line.count <= Self.maximumLine else {
                    throw ProxyHead.Problem(reason: "a line of the body is too long")
                }
                line.append(byte)
                continue
            }
            guard line.last == 0x0D, !line.dropLast().contains(0x0D) else {
                throw ProxyHead.Problem(reason: "a line of the body does not end with CR LF")
            }
            defer { line = [] }
            return Array(line.dropLast())
        }
        return nil
    }

    private mutating func read(_ line: [UInt8]) throws(ProxyHead.Problem) {
        switch part {
        case .size:
            let count = try Self.size(line)
            guard size + count <= ProxyHead.maximumBody else {
                throw ProxyHead.Problem(status: 413, reason: "the body of the request is longer than 16 GiB")
            }
            part = count == 0 ? .trailers : .chunk(count)
        case .chunkEnd:
            guard line.isEmpty else {
                throw ProxyHead.Problem(reason: "a chunk of the request is longer than its size")
            }
            part = .size
        case .trailers:
            trailerCount += 1
            guard trailerCount <= Self.maximumTrailers else {
                throw ProxyHead.Problem(status: 431, reason: "the request has too many trailers")
            }
            if line.isEmpty { part = .end }
        case .rest, .chunk, .end: break
        }
    }

    /// The size of a chunk. Its extensions say nothing.
    private static func size(_ line: [UInt8]) throws(ProxyHead.Problem) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        let isHexadecimal = digits.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
        guard isHexadecimal, (1...12).contains(digits.count),
            let count = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw ProxyHead.Problem(reason: "a chunk of the request has no size") }
        return count
    }
}
