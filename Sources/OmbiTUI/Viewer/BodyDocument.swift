#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body ready to be shown: bytes cut into lines, of which only the visible ones are ever turned into text.
struct BodyDocument: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case empty
        case json
        case text
        /// Bytes that are no text, shown as hexadecimal, sixteen a line.
        case binary
    }

    let kind: Kind
    /// What the viewer should know about the body: why it is shown as it came, or what it is.
    let note: String?
    private let storage: Storage

    /// The bytes as they are shown: formatted for JSON, as they came for everything else.
    private final class Storage: Sendable {
        let bytes: [UInt8]
        let lineStarts: [Int]

        init(bytes: [UInt8], lineStarts: [Int]) {
            self.bytes = bytes
            self.lineStarts = lineStarts
        }
    }

    static let empty = BodyDocument(kind: .empty, bytes: [], note: nil)

    init(kind: Kind, bytes: [UInt8], lineStarts: [Int]? = nil, note: String?) {
        self.kind = kind
        self.note = note
        let starts = lineStarts ?? (kind == .binary || kind == .empty ? [] : Self.lineStarts(of: bytes))
        storage = Storage(bytes: bytes, lineStarts: starts)
    }

    static func == (left: BodyDocument, right: BodyDocument) -> Bool {
        left.kind == right.kind && left.note == right.note
            && (left.storage === right.storage || left.storage.bytes == right.storage.bytes)
    }

    var lineCount: Int {
        kind == .binary ? (storage.bytes.count + 15) / 16 : storage.lineStarts.count
    }

    /// All lines as one text: what is copied or piped.
    var text: String { String(decoding: storage.bytes, as: UTF8.self) }

    /// The part of a line that starts `skipping` characters in and is at most `limit` characters long.
    func line(_ index: Int, skipping: Int = 0, limit: Int) -> String {
        guard kind != .binary else { return HexDump.line(index, of: storage.bytes) }
        let start = storage.lineStarts[index]
        var end = index + 1 < storage.lineStarts.count ? storage.lineStarts[index + 1] : storage.bytes.count
        if end > start, storage.bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > start, storage.bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        // A megabyte without a line break is cut before it is decoded. Characters of several scalars (Devanagari,
        // joined emoji) take up to some thirty bytes; a tail cut in two shows beyond the edge only.
        let cut = min(end, start + (skipping + limit + 1) * Self.mostBytesOfCharacter)
        let text = String(decoding: storage.bytes[start..<max(start, cut)], as: UTF8.self)
        return String(text.dropFirst(skipping).prefix(limit))
    }

    private static let mostBytesOfCharacter = 32

    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
        if starts.count > 1, starts.last == bytes.count { starts.removeLast() }
        return starts
    }
}
