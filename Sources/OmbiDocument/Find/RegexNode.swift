/// A regular expression as a tree.
indirect enum RegexNode: Equatable, Sendable {
    enum Assertion: UInt8, Sendable {
        case lineStart, lineEnd, textStart, textEnd, wordEdge, notWordEdge
    }

    case empty
    case set(ScalarSet)
    case sequence([RegexNode])
    case choice([RegexNode])
    case repeated(RegexNode, least: Int, most: Int?, isGreedy: Bool)
    case assertion(Assertion)
    /// The first group, whose bounds a `GroupPattern` finds; for others it is what it holds.
    case group(RegexNode)

    /// Returns a sequence of the letters, each in both cases if wanted.
    static func text(_ text: String, foldingCase: Bool) -> RegexNode {
        .sequence(text.unicodeScalars.map { .set(foldingCase ? ScalarSet($0).foldingCase : ScalarSet($0)) })
    }

    /// The bytes that every match begins with; may be empty.
    var prefix: [UInt8] { parts.bytes }

    /// The prefix; `isAll` if it is the whole expression.
    private var parts: (bytes: [UInt8], isAll: Bool) {
        switch self {
        case .empty: return ([], true)
        case .set(let set):
            guard set.ranges.count == 1, let range = set.ranges.first, range.count == 1,
                let scalar = Unicode.Scalar(range.lowerBound)
            else { return ([], false) }
            return (Array(String(scalar).utf8), true)
        case .sequence(let nodes):
            var bytes: [UInt8] = []
            for node in nodes {
                let (more, isAll) = node.parts
                bytes += more
                if !isAll { return (bytes, false) }
            }
            return (bytes, true)
        case .group(let node): return node.parts
        case .repeated(let node, let least, _, _): return (least > 0 ? node.parts.bytes : [], false)
        case .choice, .assertion: return ([], false)
        }
    }
}

/// Texts in JSON, which has them in several forms.
extension RegexNode {
    /// Returns a text with any spaces after a key and a comma, and each character as it is or as an escape (RFC 8259,
    /// section 7); nil for a text that JSON has in one form.
    ///
    /// Letters and digits of ASCII are escaped by no writer of JSON.
    static func json(_ text: String, foldingCase: Bool) -> RegexNode? {
        var (nodes, hasForms): ([RegexNode], Bool) = ([], false)
        var before: Unicode.Scalar?
        var left = Array(text.unicodeScalars)[...]
        while let scalar = left.popFirst() {
            if scalar == ":" && before == "\"" || scalar == "," && left.first == " " {
                if scalar == ":" { nodes.append(spaces) }
                nodes += [.set(ScalarSet(scalar)), spaces]
                left = left.drop { $0 == " " }
                hasForms = true
            } else {
                let forms = jsonForms(of: scalar, foldingCase: foldingCase)
                nodes.append(forms.count == 1 ? forms[0] : .choice(forms))
                hasForms = hasForms || forms.count > 1
            }
            before = scalar
        }
        return hasForms ? .sequence(nodes) : nil
    }

    private static let spaces = RegexNode.repeated(.set(.spaces), least: 0, most: nil, isGreedy: true)
    /// The characters that have an escape of their own.
    private static let escaped = Set("\"\\/".unicodeScalars)
    /// Those of ASCII that some writers escape by their number, so that JSON may stand in HTML.
    private static let numbered = escaped.union("<>&'+=".unicodeScalars)

    private static func jsonForms(of scalar: Unicode.Scalar, foldingCase: Bool) -> [RegexNode] {
        let set = foldingCase ? ScalarSet(scalar).foldingCase : ScalarSet(scalar)
        guard !scalar.isASCII || numbered.contains(scalar) else { return [.set(set)] }
        let short = escaped.contains(scalar) ? [RegexNode.text("\\" + String(scalar), foldingCase: false)] : []
        let scalars = set.ranges.flatMap { $0.compactMap { Unicode.Scalar($0) } }
        return [RegexNode.set(set)] + short + scalars.map(jsonNumber)
    }

    /// `\u00fc`, or two of them, with letters in either case.
    private static func jsonNumber(of scalar: Unicode.Scalar) -> RegexNode {
        .sequence(
            String(scalar).utf16.flatMap { unit -> [RegexNode] in
                let digits = String(unit, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                return [.text("\\u", foldingCase: false), .text(zeros + digits, foldingCase: true)]
            })
    }
}
