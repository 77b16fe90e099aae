import OmbiDocument

/// The verdict on one expectation, with every secret masked.
public struct ExpectationResult: Equatable, Sendable {
    /// The part of a response that an expectation is about.
    public enum Place: Equatable, Sendable {
        case status, time, size, certificate
        case header(String)
        /// A value of the body by its first byte in the text of the body; nil where there is none.
        case body(offset: Int?)
    }

    public var place: Place
    /// The part by name: `status`, `$.id`, `header ETag`.
    public var subject: String
    /// To follow the word `expected`: `status 2xx`, `$.id of type integer`.
    public var expected: String
    /// The value in the response, as an excerpt.
    public var found: String
    public var isMet: Bool

    public init(_ place: Place, _ subject: String, expected: String, found: String, isMet: Bool) {
        self.place = place
        self.subject = subject
        self.expected = expected
        self.found = found
        self.isMet = isMet
    }

    /// `expected status 2xx, got 503`
    public var sentence: String { "expected \(expected), \(place == .time ? "took" : "got") \(found)" }

    /// `expectation` in `schema/run.schema.json`.
    var json: JSONValue {
        [
            "subject": .string(subject), "expected": .string(expected), "found": .string(found), "met": .bool(isMet),
        ]
    }
}

extension [ExpectationResult] {
    /// `3 of 4 expectations`, or `4 expectations` where all are met.
    public var words: String {
        let met = count(where: \.isMet)
        return (met == count ? "\(count)" : "\(met) of \(count)") + (count == 1 ? " expectation" : " expectations")
    }
}
