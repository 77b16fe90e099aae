import OmbiDocument

/// The rows of a file of data, each read when it is asked for: a file may have a million of them.
public struct DataRows: RandomAccessCollection, Sendable {
    enum Form: Sendable {
        case table(DataTable, names: [String])
        /// An object for each row.
        case objects
    }

    private let text: Bytes
    private let form: Form
    /// The first byte of each row, or of the blanks before an object.
    private let starts: [Int]

    init(_ text: Bytes, _ form: Form, _ starts: [Int]) {
        (self.text, self.form, self.starts) = (text, form, starts)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { starts.count }

    public subscript(index: Int) -> DataRow { DataRow(number: index + 1, variables: variables(range(of: index))) }

    /// The bytes of a row. Behind it there are line ends at most or, behind an object, what is between two of them.
    private func range(of index: Int) -> ByteRange {
        let start = starts[index]
        var end = index + 1 < starts.count ? starts[index + 1] : text.count
        switch form {
        case .table: while end > start, text[end - 1] == 0x0A || text[end - 1] == 0x0D { end -= 1 }
        case .objects: while end > start, text[end - 1] != UInt8(ascii: "}") { end -= 1 }
        }
        return start..<end
    }

    /// Returns none for a row that cannot be read, which has been an error before.
    private func variables(_ range: ByteRange) -> [Variable] {
        switch form {
        case .table(let table, let names): (try? table.variables(in: range, names)) ?? []
        case .objects:
            (try? JSONDocument(checking: text[range])).flatMap { $0.firstRoot.map($0.value) }.map(Self.variables) ?? []
        }
    }

    /// Texts as they are, numbers as written, other values as JSON. Null gives no value.
    private static func variables(of value: JSONValue) -> [Variable] {
        guard case .object(let members) = value else { return [] }
        return members.compactMap { member -> Variable? in
            switch member.value {
            case .null: nil
            case .string(let text): Variable(member.key, text)
            default: Variable(member.key, member.value.compact)
            }
        }
    }
}
