#if canImport(CCurl)
/// Puts the header lines of a response together. Interim responses (1xx) and earlier ones are dropped when the next
/// status line comes.
struct ResponseHeadParser {
    private(set) var statusCode = 0
    /// "1.1", "2", "3"; nil before the first status line.
    private(set) var httpVersion: String?
    private(set) var headers = RequestHeaders()
    /// The blank line after the header of a final response has come.
    private(set) var isComplete = false
    /// What `Content-Length` says, unless the body is encoded; known when the head is complete.
    private(set) var contentLength: Int?

    /// One line, with its line break. True when it completed the head of a final response.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        let line = UnsafeRawBufferPointer(rebasing: line.prefix { $0 != 0x0D && $0 != 0x0A })
        if line.starts(with: Self.prefix) {
            start(line)
        } else if line.isEmpty {
            guard !isComplete, statusCode >= 200 || statusCode == 101 else { return false }
            isComplete = true
            contentLength = length
            return true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: UnsafeRawBufferPointer(rebasing: line[..<colon]), as: UTF8.self)
            headers.append(.string(Self.trimmed(line[(colon + 1)...])), forKey: RequestHeaders.Key(name))
        }
        return false
    }

    private static let prefix = Array("HTTP/".utf8)

    private var length: Int? {
        guard headers[.contentEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0.text) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private mutating func start(_ line: UnsafeRawBufferPointer) {
        let words = line.dropFirst(5).split(separator: UInt8(ascii: " "), maxSplits: 2)
        self = ResponseHeadParser()
        httpVersion = words.first.map { String(decoding: $0, as: UTF8.self) }
        statusCode = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    }
}
#endif
