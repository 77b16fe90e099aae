/// Puts the header lines of a response together. Interim responses (1xx) and earlier ones are dropped when the next
/// status line comes.
struct ResponseHeadParser {
    private(set) var statusCode = 0
    /// "1.1", "2", "3"; nil before the first status line.
    private(set) var httpVersion: String?
    private(set) var headers = RequestHeaders()
    /// The blank line after the header of a final response has come.
    private(set) var isComplete = false

    /// One line, with its line break. True when it completed the head of a final response.
    mutating func add(_ line: String) -> Bool {
        let line = line.prefix { !$0.isNewline }
        if line.hasPrefix("HTTP/") {
            start(line)
        } else if line.isEmpty {
            guard !isComplete, statusCode >= 200 || statusCode == 101 else { return false }
            isComplete = true
            return true
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            headers.append(.string(Self.trimmed(value)), forKey: RequestHeaders.Key(String(line[..<colon])))
        }
        return false
    }

    var contentLength: Int? {
        guard headers[.contentEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0.text) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private mutating func start(_ line: Substring) {
        let words = line.dropFirst(5).split(separator: " ")
        self = ResponseHeadParser()
        httpVersion = words.first.map(String.init)
        statusCode = words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    private static func trimmed(_ text: Substring) -> String {
        let blanks: Set<Character> = [" ", "\t"]
        let start = text.drop { blanks.contains($0) }
        guard let end = start.lastIndex(where: { !blanks.contains($0) }) else { return "" }
        return String(start[...end])
    }
}
