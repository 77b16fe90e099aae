/// Takes a text apart into plain text and names in braces.
struct TemplateScanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var plain = String.UnicodeScalarView()
    private var found: [Template.Part] = []
    /// The last braces and their column, from which later columns are counted.
    private var last = (index: 0, column: 1)

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parts() throws(TemplateError) -> [Template.Part] {
        while index < scalars.count {
            if scalars[index] == "\\" {
                backslashes()
            } else if isOpening(index) {
                try name()
            } else {
                plain.append(scalars[index])
                index += 1
            }
        }
        endPlain()
        return found
    }

    private func isOpening(_ index: Int) -> Bool {
        index + 1 < scalars.count && scalars[index] == "{" && scalars[index + 1] == "{"
    }

    private mutating func endPlain() {
        if !plain.isEmpty { found.append(.text(String(plain))) }
        plain = String.UnicodeScalarView()
    }

    /// Backslashes escape only right before two braces: two stand for one, and a single one makes the braces plain text.
    private mutating func backslashes() {
        let start = index
        while index < scalars.count, scalars[index] == "\\" { index += 1 }
        let count = index - start
        guard isOpening(index) else { return plain.append(contentsOf: scalars[start..<index]) }
        plain.append(contentsOf: scalars[start..<start + count / 2])
        if count % 2 == 1 {
            plain.append(contentsOf: "{{".unicodeScalars)
            index += 2
        }
    }

    private mutating func name() throws(TemplateError) {
        let start = index
        let column = last.column + String(String.UnicodeScalarView(scalars[last.index..<start])).count
        last = (start, column)
        index += 2
        while index < scalars.count, !isClosing(index) {
            if isOpening(index) || scalars[index] == "\n" { throw TemplateError(column: column, kind: .notClosed) }
            index += 1
        }
        guard index < scalars.count else { throw TemplateError(column: column, kind: .notClosed) }
        let name = scalars[start + 2..<index].split(separator: " ")
        index += 2
        guard name.count == 1, Self.isName(name[0]) else {
            throw TemplateError(column: column, kind: .noName(String(String.UnicodeScalarView(scalars[start..<index]))))
        }
        endPlain()
        found.append(.name(String(String.UnicodeScalarView(name[0])), column: column))
    }

    private func isClosing(_ index: Int) -> Bool {
        index + 1 < scalars.count && scalars[index] == "}" && scalars[index + 1] == "}"
    }

    /// Letters, digits, `_`, `-` and `.`, with a `$` before that of a function.
    private static func isName(_ name: ArraySlice<Unicode.Scalar>) -> Bool {
        let rest = name.first == "$" ? name.dropFirst() : name
        return !rest.isEmpty
            && rest.allSatisfy { scalar in
                scalar == "_" || scalar == "-" || scalar == "." || scalar.properties.isAlphabetic
                    || ("0"..."9").contains(scalar)
            }
    }
}
