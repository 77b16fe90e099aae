/// As much of a variable as the rows of data need.
public struct Variable: Sendable, Equatable {
    public var name: String
    public var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

extension StringProtocol {
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
