#if canImport(CCurl)
/// Undoes the content codings of a response (RFC 9110 §8.4) while it arrives, the one applied last first.
///
/// Not libcurl: it takes a body that ends within its coding for a whole one, and refuses gzip of several members
/// (RFC 1952 §2.2).
final class ContentDecoder {
    /// What becomes of bytes that are handed on.
    enum Taking {
        case taken
        /// Not now.
        case heldBack
        /// Nothing more is wanted.
        case refused
    }

    private let stages: [Stage]
    /// What the last stage has given and nobody has taken yet.
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Bytes of the last call that have been used, when it is to be repeated.
    private var used = 0

    /// nil when nothing is encoded.
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

    /// More of them would multiply what a few bytes unpack to.
    private static let maximumStages = 5

    /// Hands on what the bytes decode to, in pieces, until one is not taken. After `heldBack` the next call must begin with
    /// the same bytes; it goes on with the piece that was not taken.
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

    /// Makes the next piece. False when all bytes are used.
    private func fill() throws(CodingProblem) -> Bool {
        piece = try next(stages.count - 1)
        return !piece.isEmpty
    }

    /// What a stage gives next; empty when it needs more bytes than there are.
    private func next(_ index: Int) throws(CodingProblem) -> UnsafeRawBufferPointer {
        let stage = stages[index]
        while true {
            if stage.input.isEmpty, !stage.hasMore {
                if index > 0 { stage.input = try next(index - 1) }
                if stage.input.isEmpty { return stage.input }
            }
            let output = try stage.step()
            if !output.isEmpty { return output }
        }
    }

    /// Throws when the body ends where a coding does not. A body without a byte is not encoded.
    func finish() throws(CodingProblem) {
        for stage in stages where !stage.stream.mayEnd {
            throw CodingProblem(coding: stage.name, reason: "it ends in the middle")
        }
    }
}

/// One of several codings.
private final class Stage {
    let name: String
    let stream: any CodedStream
    /// What it has still to decode, in the memory of the stage before it.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Its memory was too small for all of the output.
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

/// Why a body cannot be decoded.
struct CodingProblem: Error, Equatable {
    /// "gzip"
    let coding: String
    /// nil when the coding is not known.
    let reason: String?

    /// To follow "the body from … ".
    var words: String {
        guard let reason else { return "is encoded as \"\(coding.excerpt())\", which cannot be decoded here" }
        return "is not valid \(coding) (\(reason))"
    }
}

/// What a library says of bytes that it cannot decode.
struct CodingFault: Error {
    let reason: String
}

/// One coding being undone.
protocol CodedStream: AnyObject {
    /// Takes bytes from the start of `input`, as many as it can, and fills `output`.
    /// - Returns: the number of bytes in `output`.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Int

    /// Nothing is missing if nothing more comes.
    var mayEnd: Bool { get }
}
#endif
