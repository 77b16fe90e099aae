/// Puts the header lines of a response together (RFC 9112 §4 and §5), and finds what libcurl does not mind. Interim
/// responses (1xx) are dropped when the next status line comes.
struct ResponseHeadParser {
    private(set) var statusCode = 0
    /// "1.1", "2", "3"; nil before the first status line.
    private(set) var httpVersion: String?
    private(set) var headers = RequestHeaders()
    /// The blank line after the header of a final response has come.
    private(set) var isComplete = false
    /// What `Content-Length` says, unless the body is encoded; known when the head is complete.
    private(set) var contentLength: Int?
    /// What breaks the rules, to follow "the response from … ".
    private(set) var problem: String?
    /// There is one `Content-Length`, and it is nothing but a number.
    private var hasPlainLength = false

    /// More fields than most responses have.
    private static let usualFields = 16

    /// One line, with its line break. True when it completed the head of a final response.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        let line = UnsafeRawBufferPointer(rebasing: line.prefix { $0 != 0x0D && $0 != 0x0A })
        if startsResponse(line) {
            start(line)
        } else if line.isEmpty {
            return end()
        } else if Self.isBlank(line[0]) {
            unfold(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.text(Self.trimmed(line[..<colon]))
            headers.append(.string(Self.text(Self.trimmed(line[(colon + 1)...]))), forKey: RequestHeaders.Key(name))
        }
        return false
    }

    /// Behind a complete head come the lines of a trailer (RFC 9112 §7.1.2), and another response only where libcurl
    /// sends the request again without `Expect`.
    private func startsResponse(_ line: UnsafeRawBufferPointer) -> Bool {
        if httpVersion == nil { return !line.isEmpty }
        return line.first == Self.prefix[0] && line.starts(with: Self.prefix) && (!isComplete || statusCode == 417)
    }

    private static let prefix = Array("HTTP/".utf8)

    private mutating func end() -> Bool {
        guard !isComplete, statusCode >= 200 || isOtherProtocol else { return false }
        isComplete = true
        let length = plainLength
        hasPlainLength = length != nil
        contentLength = headers[.contentEncoding] == nil ? length ?? lengths.first.flatMap { Int($0) } : nil
        return true
    }

    /// 101 is final, unless HTTP goes on in its next version.
    private var isOtherProtocol: Bool {
        statusCode == 101 && headers["Upgrade"]?.text.lowercased().contains("h2c") != true
    }

    // MARK: Status line

    private mutating func start(_ line: UnsafeRawBufferPointer) {
        self = ResponseHeadParser()
        headers.reserveCapacity(Self.usualFields)
        let version = line.prefix { $0 != UInt8(ascii: " ") }.dropFirst(Self.prefix.count)
        httpVersion = Self.text(version)
        let code = line[version.endIndex...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        statusCode = code.reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) }
        guard line.starts(with: Self.prefix), Self.isVersion(version), code.count == 3, code.allSatisfy(Self.isDigit),
            statusCode >= 100
        else {
            problem = "begins with \"\(Self.text(line[...]).excerpt(60))\", which is no status line of HTTP"
            return
        }
    }

    /// "1.1", or "2".
    private static func isVersion(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = text.first, let last = text.last, isDigit(first), isDigit(last) else { return false }
        return text.count == 1 || text.count == 3 && text.dropFirst().first == UInt8(ascii: ".")
    }

    // MARK: Header fields

    /// A line that goes on with the value before it (RFC 9112 §5.2).
    private mutating func unfold(_ line: UnsafeRawBufferPointer) {
        guard let last = headers.fields.last else { return }
        let rest = Self.text(Self.trimmed(line[...]))
        headers = RequestHeaders(headers.fields.dropLast())
        headers.append(.string("\(last.value.text) \(rest)"), forKey: last.key)
    }

    /// All of `Content-Encoding`.
    var contentEncoding: String { headers.values(for: .contentEncoding).map(\.text).joined(separator: ",") }

    /// nil where there is none, or where it takes a closer look.
    private var plainLength: Int? {
        var length: Int?
        for field in headers.fields where field.key == .contentLength {
            guard length == nil, field.value.text.allBytesSatisfy(Self.isDigit), let number = Int(field.value.text)
            else { return nil }
            length = number
        }
        return length
    }

    /// The lengths that are given, each once.
    private var lengths: [Substring] {
        var all: [Substring] = []
        for value in headers.values(for: .contentLength) {
            for text in value.text.split(separator: ",", omittingEmptySubsequences: false) {
                let length = text.drop { $0 == " " }
                if !all.contains(length) { all.append(length) }
            }
        }
        return all
    }

    /// What is wrong with `Content-Length` (RFC 9110 §8.6), of a response that has a body; nil where it does not count.
    var lengthProblem: String? {
        guard !hasPlainLength, headers[.contentLength] != nil, headers["Transfer-Encoding"] == nil else { return nil }
        let lengths = lengths
        if lengths.count > 1 {
            let list = lengths.prefix(4).joined(separator: ", ").excerpt(60)
            return "has \(lengths.count) different lengths (\(list))"
        }
        guard let length = lengths.first, !length.isEmpty, length.utf8.allSatisfy(Self.isDigit), Int(length) != nil
        else { return "has the Content-Length \"\((lengths.first ?? "").excerpt(60))\", which is no length" }
        return nil
    }

    // MARK: Bytes

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// UTF-8, or else ISO 8859-1, as fields used to be (RFC 9110 §5.5).
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        if let text = CommonText.find(bytes) { return text }
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// Texts that most heads contain and that are too long to be kept within a `String`: each would be an allocation.
private enum CommonText {
    /// By their lengths.
    private static let texts: [[String]] = {
        let all = [
            "application/json", "application/json; charset=utf-8", "text/html; charset=utf-8", "text/event-stream",
            "Content-Encoding", "content-encoding", "Transfer-Encoding", "transfer-encoding",
        ]
        var table = Array(repeating: [String](), count: (all.map(\.utf8.count).max() ?? 0) + 1)
        for text in all { table[text.utf8.count].append(text) }
        return table
    }()

    static func find(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count > 15, bytes.count < texts.count else { return nil }
        return texts[bytes.count].first { bytes.elementsEqual($0.utf8) }
    }
}
