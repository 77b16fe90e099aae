#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a response that refuses a WebSocket, framed as stated in its head (RFC 9112 §6), up to a limit.
struct RefusalBody {
    private enum Framing {
        case length(Int)
        case chunked(missing: Int)
        case untilEnd
    }

    private(set) var bytes = Data()
    private(set) var isComplete = false
    private var framing: Framing
    /// The bytes of a chunked body that are not parsed yet.
    private var pending = Data()

    private static let maximumBytes = 64 << 10
    private static let maximumChunkLine = 256

    init(of head: ResponseHeadParser) {
        let coding = head.headers["Transfer-Encoding"]?.text.lowercased()
        if [101, 204, 304].contains(head.statusCode) {
            framing = .length(0)
        } else if coding == "chunked" {
            framing = .chunked(missing: 0)
        } else if coding == nil, let length = head.headers[.contentLength].flatMap({ Int($0.text) }), length >= 0 {
            framing = .length(length)
        } else {
            framing = .untilEnd
        }
    }

    mutating func read(_ data: Data) {
        switch framing {
        case .length(let length):
            append(data.prefix(length - bytes.count))
            isComplete = isComplete || bytes.count == length
        case .untilEnd: append(data)
        case .chunked(let missing): readChunks(data, missing: missing)
        }
    }

    private mutating func append(_ data: Data) {
        bytes.append(data.prefix(Self.maximumBytes - bytes.count))
        if bytes.count == Self.maximumBytes { isComplete = true }
    }

    /// Reads chunks. A violation ends the body there: the refusal matters, not its page.
    private mutating func readChunks(_ data: Data, missing: Int) {
        pending.append(data)
        var missing = missing
        while !isComplete, !pending.isEmpty {
            if missing > 2 {
                let count = min(missing - 2, pending.count)
                append(pending.prefix(count))
                pending = Data(pending.dropFirst(count))
                missing -= count
            } else if missing > 0 {
                pending = Data(pending.dropFirst())
                missing -= 1
            } else {
                guard let line = pending.firstIndex(of: 0x0A) else {
                    isComplete = pending.count > Self.maximumChunkLine
                    break
                }
                missing = chunkLength(pending[..<line]) ?? 0
                pending = Data(pending[(line + 1)...])
                isComplete = missing == 0
            }
        }
        framing = .chunked(missing: missing)
    }

    /// Returns the bytes of the chunk and its line break; nil for the last chunk, and for an invalid one.
    private func chunkLength(_ line: Data) -> Int? {
        let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }, as: UTF8.self)
        guard let length = Int(digits, radix: 16), length > 0, length < Int.max - 2 else { return nil }
        return length + 2
    }
}
