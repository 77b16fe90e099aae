import Testing

/// A production of a grammar: texts that it makes, and texts beside it that it does not.
struct Production: CustomTestStringConvertible {
    let name: String
    let accepted: [String]
    let refused: [String]

    init(_ name: String, _ accepted: [String], not refused: [String]) {
        (self.name, self.accepted, self.refused) = (name, accepted, refused)
    }

    var testDescription: String { name }

    func check(_ accepts: (String) -> Bool) {
        for text in accepted { #expect(accepts(text), "\(name) makes \(text.debugDescription)") }
        for text in refused { #expect(!accepts(text), "\(name) does not make \(text.debugDescription)") }
    }
}
