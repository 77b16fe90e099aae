/// The rows of a file of data that are checked before anything is sent. Where a request puts its values only into the path,
/// the query, headers and a body of text, a plain word fails for its kind alone: rows that are alike are checked once. A
/// million of them would take a minute otherwise.
struct RowCheck {
    /// The values that templates do not distinguish, as long as they are short and plain.
    private enum Shape: Hashable {
        case absent, empty, number, word, phrase
    }

    /// The columns that decide; nil for a request of which each row is checked.
    private var columns: [RequestPlace: [String]?] = [:]
    private var checked: [RequestPlace: Set<[Shape]>] = [:]

    /// Returns true for a run that is like none so far.
    mutating func isNew(_ order: RunOrder) -> Bool {
        guard let row = order.row else { return true }
        let place = RequestPlace(order)
        guard let known = columns[place] else { return true }
        guard let columns = known, let shapes = Self.shapes(of: row, columns) else { return true }
        return checked[place, default: []].insert(shapes).inserted
    }

    /// Records a run that can be sent.
    /// - Parameter sendsFirst: True if other requests are sent before it, which may use the row, too.
    mutating func passed(_ order: RunOrder, sendsFirst: Bool) {
        guard let row = order.row else { return }
        let place = RequestPlace(order)
        guard columns[place] == nil else { return }
        columns[place] = .some(sendsFirst ? nil : Self.columns(of: row, in: order))
        if let columns = columns[place] ?? nil, let shapes = Self.shapes(of: row, columns) {
            checked[place] = [shapes]
        }
    }

    // MARK: Columns

    /// Returns the columns that a request uses; nil if one of them is used where its value counts and not its kind: in a
    /// host, a file, a function, credentials, expectations, or another variable.
    private static func columns(of row: DataRow, in order: RunOrder) -> [String]? {
        let names = Set(row.variables.map(\.name))
        var rest = order.request
        (rest.query, rest.headers, rest.cookies, rest.pathParameters, rest.examples) = ([], [], [], [], nil)
        if rest.body?.namesFiles == false { rest.body = nil }
        let folders = order.folders ?? order.collection.folders(of: order.request.id)
        let levels = Inheritance(order.collection, folders: folders, environment: order.chosenEnvironment).levels
        let variables =
            order.collection.allVariables + (order.chosenEnvironment?.variables ?? [])
            + levels.flatMap(\.settings.variables) + order.request.variables
        var elsewhere = VariableUses.names(anywhereIn: rest.wholeJSON)
        elsewhere.formUnion(VariableUses.names(in: [order.chosenEnvironment?.host ?? ""] + variables.map(\.value)))
        for level in levels { elsewhere.formUnion(VariableUses.names(in: level.settings)) }
        let text = order.request.wholeJSON.compact
        guard elsewhere.isDisjoint(with: names), !text.contains("{{$"), !text.contains("{{ $"),
            order.request.webSocket == nil
        else { return nil }
        return names.intersection(VariableUses.names(in: order.request)).sorted()
    }

    // MARK: Shapes

    /// Returns nil for a value that may be anything.
    private static func shapes(of row: DataRow, _ columns: [String]) -> [Shape]? {
        var shapes: [Shape] = []
        for column in columns {
            guard let value = row.variables.last(where: { $0.name == column })?.value else {
                shapes.append(.absent)
                continue
            }
            guard let shape = shape(of: value) else { return nil }
            shapes.append(shape)
        }
        return shapes
    }

    private static let maximumLength = 200
    private static let literals: Set<String> = ["true", "false", "null"]

    private static func shape(of value: String) -> Shape? {
        let bytes = value.utf8
        guard let first = bytes.first else { return .empty }
        guard bytes.count <= maximumLength else { return nil }
        if first.isASCIIDigit {
            let isNumber = bytes.count <= 15 && bytes.allSatisfy(\.isASCIIDigit) && (first != 0x30 || bytes.count == 1)
            return isNumber ? .number : nil
        }
        guard first.isASCIILetter, !literals.contains(value) else { return nil }
        var hasSpace = false
        for byte in bytes where !byte.isASCIIAlphanumeric && byte != 0x5F && byte != 0x2D {
            guard byte == 0x20 else { return nil }
            hasSpace = true
        }
        return hasSpace ? .phrase : .word
    }
}
