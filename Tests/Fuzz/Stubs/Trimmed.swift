extension StringProtocol {
    /// The text without spaces and tabs around it.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var rest = Substring(String(self))
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }
}
