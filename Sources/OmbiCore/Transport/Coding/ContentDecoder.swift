#if canImport(CCurl)
/// Undoes the content codings of a response (RFC 9110 §8.4) while it arrives, the one applied last first.
///
/// Not libcurl: it takes a body that ends within its coding for a whole one, and refuses gzip of several members
/// (RFC 1952 §2.2).
final class ContentDecoder {
    private let stages: [Stage]

    private struct Stage {
        let name: String
        let stream: any CodedStream
        let buffer: CodingBuffer
    }

    /// nil when nothing is encoded.
    /// - Parameter codings: The value of `Content-Encoding`.
    init?(_ codings: String, _ library: ContentCodings) throws(CodingProblem) {
        var stages: [Stage] = []
        for name in codings.lowercased().split(whereSeparator: { ", \t".contains($0) }) where name != "identity" {
            guard stages.count < Self.maximumStages, let stream = library.stream(String(name)) else {
                throw CodingProblem(coding: codings, reason: nil)
            }
            stages.insert(Stage(name: String(name), stream: stream, buffer: CodingBuffer()), at: 0)
        }
        guard !stages.isEmpty else { return nil }
        self.stages = stages
    }

    /// More of them would multiply what a few bytes unpack to.
    private static let maximumStages = 5

    /// Hands on what the bytes decode to, in pieces.
    /// - Returns: false as soon as `take` does.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(CodingProblem) -> Bool {
        try decode(bytes, at: 0, take)
    }

    /// Throws when the body ends where a coding does not. A body without a byte is not encoded.
    func finish() throws(CodingProblem) {
        for stage in stages where !stage.stream.mayEnd {
            throw CodingProblem(coding: stage.name, reason: "it ends in the middle")
        }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, at index: Int, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(CodingProblem) -> Bool {
        guard index < stages.count else { return take(bytes) }
        let stage = stages[index]
        var bytes = bytes
        var produced = 0
        repeat {
            do throws(CodingFault) {
                produced = try stage.stream.decode(&bytes, into: stage.buffer.bytes)
            } catch {
                throw CodingProblem(coding: stage.name, reason: error.reason.asClause.excerpt())
            }
            let piece = UnsafeRawBufferPointer(rebasing: stage.buffer.bytes[..<produced])
            if produced > 0, try !decode(piece, at: index + 1, take) { return false }
        } while !bytes.isEmpty || produced == stage.buffer.bytes.count
        return true
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

/// Memory for what a step gives.
private final class CodingBuffer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    deinit { bytes.deallocate() }
}
#endif
