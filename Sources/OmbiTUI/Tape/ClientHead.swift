/// The head of a request of HTTP/1.1 (RFC 9112) to a server of this program. Anything that two servers might read in
/// two ways is refused.
struct ClientHead: Equatable, Sendable {
    /// The reason why a request is refused, and the status of the response.
    struct Problem: Error, Equatable {
        var status = 400
        var reason: String
    }

    /// The length of the body.
    enum Framing: Equatable, Sendable {
        case length(Int)
        case chunked
    }

    private(set) var method = ""
    /// The path and the query as they came.
    private(set) var target = ""
    private(set) var fields = RequestHeaders()
    private(set) var framing = Framing.length(0)
    /// True for a client of HTTP/1.1: it reads chunks, and keeps its connection unless it says otherwise.
    private(set) var takesChunks = true
    /// True where the client waits for a 100 before it sends the body.
    private(set) var awaitsContinue = false
    /// The names in `Connection`, in lower case.
    private(set) var connectionNames: Set<String> = []
    private var hasLength = false
    /// The error of a longer body than the server takes.
    private let tooLong: Problem
    /// In bytes.
    private let maximumBody: Int

    private static let maximumFields = 200

    var keepsAlive: Bool { takesChunks && !connectionNames.contains("close") }

    /// - Parameter text: the head without the empty line that ends it.
    init(_ text: String, maximumBody: Int, tooLong: Problem) throws(Problem) {
        (self.maximumBody, self.tooLong) = (maximumBody, tooLong)
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }) else {
            throw Problem(reason: "the head of the request has control characters")
        }
        // A pair of line ends is one character, and a line end by itself another.
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard !lines.contains(where: { $0.utf8.contains { $0 == 0x0A || $0 == 0x0D } }) else {
            throw Problem(reason: HeadEnd.bareLineFeedReason)
        }
        guard lines.count <= Self.maximumFields + 1 else {
            throw Problem(status: 431, reason: "the request has more than \(Self.maximumFields) fields")
        }
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, HeaderCheck.isToken(words[0]), ["HTTP/1.1", "HTTP/1.0"].contains(words[2]) else {
            throw Problem(reason: "this is no request of HTTP/1.1")
        }
        (method, target, takesChunks) = (words[0], words[1], words[2] == "HTTP/1.1")
        for line in lines.dropFirst() { try read(line) }
    }

    private mutating func read(_ line: Substring) throws(Problem) {
        guard let colon = line.firstIndex(of: ":"), HeaderCheck.isToken(String(line[..<colon])) else {
            throw Problem(reason: "a line of the request is no header field")
        }
        let text = line[line.index(after: colon)...].trimmed
        let name = String(line[..<colon])
        fields.append(RequestHeaders.Value(text), forKey: RequestHeaders.Key(name))
        let value = text.lowercased()
        switch name.lowercased() {
        case "content-length": try setLength(value)
        case "transfer-encoding":
            guard value == "chunked", !hasLength else {
                throw Problem(reason: "the request has a length of two kinds, or an unknown coding")
            }
            (framing, hasLength) = (.chunked, true)
        case "connection":
            connectionNames.formUnion(value.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init))
        case "expect": awaitsContinue = value == "100-continue"
        default: break
        }
    }

    private mutating func setLength(_ value: String) throws(Problem) {
        guard !hasLength, !value.isEmpty, value.utf8.allSatisfy(\.isASCIIDigit) else {
            throw Problem(reason: "the request has a length of two kinds, or one that is no number")
        }
        guard let count = Int(value), count <= maximumBody else { throw tooLong }
        (framing, hasLength) = (.length(count), true)
    }
}
