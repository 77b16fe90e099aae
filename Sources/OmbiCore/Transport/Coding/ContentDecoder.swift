#if canImport(CCurl)

/// A streaming decoder for the content codings of a response (RFC 9110 §8.4), last applied first.
///
/// Not libcurl: it accepts a body that ends within its coding as complete, and rejects gzip of several members (RFC
/// 1952 §2.2).
final class ContentDecoder {
    /// The receiver's reaction to decoded bytes.
    enum Taking {
        case taken
        /// Not accepted for now.
        case heldBack
        /// No more bytes are wanted.
        case refused
    }

    private let stages: [Stage]
    /// The last output of the last stage that the receiver has not taken yet.
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The number of bytes consumed from the last call's input; the caller passes the rest again.
    private var used = 0
    /// The number of bytes from one stage to the next, and of those from the last one.
    private var (between, made) = (0, 0)

    /// Returns nil if nothing is encoded.
    /// - Parameter codings: The value of `Content-Encoding`.
    init?(_ codings: String, _ library: ContentCodings) throws(CodingProblem) {
        var stages: [Stage] = []
        for name in codings.lowercased().split(whereSeparator: { ", \t".contains($0) }) where name != "identity" {
            guard stages.count < Self.maximumStages, let stream = library.stream(String(name)) else {
                throw CodingProblem(coding: codings, reason: nil)
            }
            stages.insert(Stage(String(name), stream), at: 0)
        }
        guard !stages.isEmpty else { return nil }
        self.stages = stages
    }

    /// The limit on the expansion of a few bytes, which each stage multiplies.
    private static let maximumStages = 5
    /// The limit on bytes that stages decode to nothing: a few bytes of a server would keep a thread busy for hours.
    private static let maximumIdle = 8 << 20
    /// The bytes between stages for each that comes out, beyond the limit.
    private static let maximumShare = 16

    /// Passes the decoded bytes to `take`, in pieces, until one is not taken. After `heldBack` the next call must start
    /// with the same bytes; it continues with the piece that was not taken.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Taking
    ) throws(CodingProblem) -> Taking {
        stages[0].input = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(used))
        used = 0
        repeat {
            guard !piece.isEmpty else { continue }
            let taking = take(piece)
            guard taking == .taken else {
                used = bytes.count - stages[0].input.count
                return taking
            }
        } while try fill()
        return .taken
    }

    /// Decodes the next piece. Returns false when all bytes are consumed.
    private func fill() throws(CodingProblem) -> Bool {
        piece = try next(stages.count - 1)
        made += piece.count
        return !piece.isEmpty
    }

    /// Returns the next output of a stage; empty if it needs more bytes.
    private func next(_ index: Int) throws(CodingProblem) -> UnsafeRawBufferPointer {
        let stage = stages[index]
        while true {
            if stage.input.isEmpty, !stage.hasMore {
                if index > 0 { stage.input = try input(of: index) }
                if stage.input.isEmpty { return stage.input }
            }
            let output = try stage.step()
            if !output.isEmpty { return output }
        }
    }

    /// Returns the next output of the stage before, where that decodes to something.
    private func input(of index: Int) throws(CodingProblem) -> UnsafeRawBufferPointer {
        let bytes = try next(index - 1)
        between += bytes.count
        guard between <= Self.maximumIdle + Self.maximumShare * made else {
            throw CodingProblem(coding: stages[index].name, reason: "most of it decodes to nothing")
        }
        return bytes
    }

    /// Throws if the body ends within a coding. An empty body is not encoded.
    func finish() throws(CodingProblem) {
        for stage in stages where !stage.stream.mayEnd {
            throw CodingProblem(coding: stage.name, reason: "it ends in the middle")
        }
    }
}

/// The stage for one of several codings.
private final class Stage {
    let name: String
    let stream: any CodedStream
    /// The bytes still to decode, in the memory of the previous stage.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// True if the buffer was too small for all of the output.
    private(set) var hasMore = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(_ name: String, _ stream: any CodedStream) {
        self.name = name
        self.stream = stream
    }

    deinit { buffer.deallocate() }

    func step() throws(CodingProblem) -> UnsafeRawBufferPointer {
        let count: Int
        do throws(CodingFault) {
            count = try stream.decode(&input, into: buffer)
        } catch {
            throw CodingProblem(coding: name, reason: error.reason.asClause.excerpt())
        }
        hasMore = count == buffer.count
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
}

/// The reason why a body cannot be decoded.
struct CodingProblem: Error, Equatable {
    /// "gzip"
    let coding: String
    /// nil for an unknown coding.
    let reason: String?

    func error(from server: String) -> TransportError {
        let words =
            reason.map { "is not valid \(coding) (\($0))" }
            ?? "is encoded as \"\(coding.excerpt())\", which cannot be decoded here"
        return TransportError(code: .malformedResponse, message: "the body from \(server) \(words)")
    }
}

/// A library's error for bytes that it cannot decode.
struct CodingFault: Error {
    let reason: String
}

protocol CodedStream: AnyObject {
    /// Consumes bytes from the start of `input`, as many as possible, and fills `output`.
    /// - Returns: The number of bytes in `output`.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Int

    /// True if the coding is complete at this point.
    var mayEnd: Bool { get }
}

/// The content codings that can be decoded: those whose libraries libcurl has loaded.
struct ContentCodings: Sendable {
    private let zlib: ZlibStream.Functions?
    private let brotli: BrotliStream.Functions?
    private let zstd: ZstdStream.Functions?

    init(_ symbols: Symbols) {
        zlib = try? ZlibStream.Functions(symbols)
        brotli = try? BrotliStream.Functions(symbols)
        zstd = try? ZstdStream.Functions(symbols)
    }

    /// The codings for `Accept-Encoding`, best first.
    var names: [String] {
        (brotli == nil ? [] : ["br"]) + (zstd == nil ? [] : ["zstd"]) + (zlib == nil ? [] : ["gzip", "deflate"])
    }

    /// - Parameter name: The coding in lower case.
    func stream(_ name: String) -> (any CodedStream)? {
        switch name {
        case "gzip", "x-gzip": zlib.flatMap { ZlibStream($0, isGzip: true) }
        case "deflate": zlib.flatMap { ZlibStream($0, isGzip: false) }
        case "br": brotli.flatMap { BrotliStream($0) }
        case "zstd": zstd.flatMap { ZstdStream($0) }
        default: nil
        }
    }
}

/// The bytes of a body that are kept as they came, since nothing could be made of them.
struct UndecodedBody {
    /// The reason why the body is not decoded; nil while it is.
    var problem: CodingProblem?
    /// The bytes from which a decoder has made none so far.
    private(set) var start = Data()

    /// More than the headers of any coding; a decoder that has made nothing of so many bytes will not be followed.
    private static let maximumStart = 64 << 10

    /// The name of a coding for which there is no decoder: the body is complete, but as it came.
    var unknownCoding: String? { problem.flatMap { $0.reason == nil ? $0.coding.excerpt() : nil } }

    mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        guard start.count + bytes.count <= Self.maximumStart else { return }
        start.append(contentsOf: bytes)
    }

    mutating func takeStart() -> Data { exchange(&start, with: Data()) }
}
#endif
