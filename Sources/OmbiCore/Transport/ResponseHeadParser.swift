internal import OmbiBase

/// A parser that assembles the header lines of a response (RFC 9112 §4 and §5), and finds errors that libcurl
/// tolerates. Interim responses (1xx) are dropped at the next status line.
struct ResponseHeadParser {
    private(set) var statusCode = 0
    /// "1.1", "2", "3"; nil before the first status line.
    private(set) var httpVersion: String?
    private(set) var headers = RequestHeaders()
    /// True after the empty line that ends the header of a final response.
    private(set) var isComplete = false
    /// The value of `Content-Length`, unless the body is encoded; known when the head is complete.
    private(set) var contentLength: Int?
    /// True if the request may be repeated on its connection, so that another response follows.
    var allowsAnother = false
    /// The violation found, as a clause to follow "the response from … ".
    private(set) var problem: String?
    /// True if there is one `Content-Length`, which is a plain number.
    private var hasPlainLength = false

    /// An upper bound on the number of fields in most responses.
    private static let usualFields = 16

    /// Adds a line with its line break. Returns true if it completed the head of a final response.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        let line = UnsafeRawBufferPointer(rebasing: line.prefix { $0 != 0x0D && $0 != 0x0A })
        if startsResponse(line) {
            start(line)
        } else if line.isEmpty {
            return end()
        } else if Self.isBlank(line[0]) {
            unfold(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.text(line[..<colon].trimming(while: Self.isBlank))
            let value = Self.text(line[(colon + 1)...].trimming(while: Self.isBlank))
            headers.append(.string(value), forKey: RequestHeaders.Key(name))
        }
        return false
    }

    /// Returns true for a status line. A complete head is followed by trailer lines (RFC 9112 §7.1.2), and by another
    /// response only if libcurl repeats the request: without `Expect`, or with credentials that it negotiates.
    private func startsResponse(_ line: UnsafeRawBufferPointer) -> Bool {
        if httpVersion == nil { return !line.isEmpty }
        return line.first == Self.prefix[0] && line.starts(with: Self.prefix)
            && (!isComplete || statusCode == 417 || allowsAnother)
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

    /// True for a final 101: one that does not continue with HTTP/2.
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
        guard line.starts(with: Self.prefix), Self.isVersion(version), code.count == 3, code.allSatisfy(\.isASCIIDigit),
            statusCode >= 100
        else {
            problem = "begins with \"\(Self.text(line[...]).excerpt(60))\", which is no status line of HTTP"
            return
        }
    }

    /// "1.1", or "2".
    private static func isVersion(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = text.first, let last = text.last, first.isASCIIDigit, last.isASCIIDigit else { return false }
        return text.count == 1 || text.count == 3 && text.dropFirst().first == UInt8(ascii: ".")
    }

    // MARK: Header fields

    /// Appends a continuation line to the previous value (RFC 9112 §5.2).
    private mutating func unfold(_ line: UnsafeRawBufferPointer) {
        guard let last = headers.fields.last else { return }
        let rest = Self.text(line[...].trimming(while: Self.isBlank))
        headers = RequestHeaders(headers.fields.dropLast())
        headers.append(.string("\(last.value.text) \(rest)"), forKey: last.key)
    }

    /// The values of all `Content-Encoding` fields.
    var contentEncoding: String { headers.values(for: .contentEncoding).map(\.text).joined(separator: ",") }

    /// nil without a length, or with one that needs further checks.
    private var plainLength: Int? {
        var length: Int?
        for field in headers.fields where field.key == .contentLength {
            guard length == nil, field.value.text.allBytesSatisfy(\.isASCIIDigit), let number = Int(field.value.text)
            else { return nil }
            length = number
        }
        return length
    }

    /// The distinct lengths given.
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

    /// The violation in `Content-Length` (RFC 9110 §8.6) of a response with a body; nil if it does not count.
    var lengthProblem: String? {
        guard !hasPlainLength, headers[.contentLength] != nil, headers["Transfer-Encoding"] == nil else { return nil }
        let lengths = lengths
        if lengths.count > 1 {
            let list = lengths.prefix(4).joined(separator: ", ").excerpt(60)
            return "has \(lengths.count) different lengths (\(list))"
        }
        guard let length = lengths.first, !length.isEmpty, length.utf8.allSatisfy(\.isASCIIDigit), Int(length) != nil
        else { return "has the Content-Length \"\((lengths.first ?? "").excerpt(60))\", which is no length" }
        return nil
    }

    // MARK: Bytes

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Decodes UTF-8 or else ISO 8859-1, the former encoding of fields (RFC 9110 §5.5).
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
