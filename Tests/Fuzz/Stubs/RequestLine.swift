/// The methods, the URLs and the names of headers that lines are asked for.
struct RequestMethod: Equatable, CaseIterable {
    static let options = RequestMethod(word: "OPTIONS")
    static let allCases = [options, RequestMethod(word: "GET"), RequestMethod(word: "POST")]
    let word: String
    var isIdempotent: Bool { word == "PROPFIND" }

    private init(word: String) { self.word = word }

    init?(rawValue: String) {
        guard HeaderCheck.isToken(rawValue) else { return nil }
        word = rawValue
    }
}

enum HeaderCheck {
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D }
    }
}

struct RequestTarget {
    let isURL: Bool

    init(_ text: String) { isURL = text.contains("://") || text.contains(".") && !text.contains(" ") }
}
