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
