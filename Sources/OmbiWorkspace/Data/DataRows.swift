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
    /// The bytes of each row.
    private let ranges: [ByteRange]

    init(_ text: Bytes, _ form: Form, _ ranges: [ByteRange]) {
        (self.text, self.form, self.ranges) = (text, form, ranges)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { ranges.count }

    public subscript(index: Int) -> DataRow { DataRow(number: index + 1, variables: variables(ranges[index])) }

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
