extension Expectation {
    /// Returns the verdict on each expectation, in the order of the file.
    func results(_ observation: Observation) -> [ExpectationResult] {
        var results: [ExpectationResult] = []
        if !status.isEmpty { results.append(statusResult(observation.status)) }
        if let within { results.append(Self.time(observation.duration, within, of: nil)) }
        if let firstAttemptWithin {
            results.append(Self.time(observation.firstAttempt, firstAttemptWithin, of: "the first attempt"))
        }
        if let size { results.append(Self.result(of: size, observation.body.count)) }
        if let certificateDays { results.append(Self.certificate(certificateDays, observation)) }
        results += headers.flatMap { $0.results(observation) }
        let contentType = observation.headers[.contentType]?.text
        results += undocumented(observation, contentType: contentType)
        let documented = documentedSchema(of: observation.status, contentType: contentType)
        guard !body.isEmpty || loadedSchema != nil || documented != nil else { return results }
        return results
            + observation.body.withUnsafeBytes { bytes -> [ExpectationResult] in
                // The bytes are read in this scope only.
                var observed = ObservedBody(Bytes(lent: bytes), contentType: contentType)
                var found = self.body.flatMap { observed.results(of: $0, observation) }
                if let loadedSchema { found += observed.results(of: loadedSchema, observation) }
                if let documented { found += observed.results(of: documented, observation, isOfDocument: true) }
                return found
            }
    }

    private func statusResult(_ code: Int?) -> ExpectationResult {
        ExpectationResult(
            .status, "status", expected: "status " + status.map(\.description).joined(separator: " or "),
            found: code.map(String.init) ?? "no response",
            isMet: code.map { code in status.contains { $0.matches(code) } } ?? false)
    }

    private static func time(_ duration: Duration?, _ limit: Duration, of part: String?) -> ExpectationResult {
        ExpectationResult(
            .time, part ?? "time",
            expected: (part.map { $0 + " " } ?? "") + "within " + DurationText.format(limit),
            found: duration.map(rounded) ?? "no time", isMet: duration.map { $0 <= limit } ?? false)
    }

    /// Rounds up to whole milliseconds, so that a miss never reads like the limit itself.
    private static func rounded(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000 + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
        return DurationText.format(.seconds(seconds) + .milliseconds(milliseconds))
    }

    private static func result(of size: NumberComparison, _ count: Int) -> ExpectationResult {
        ExpectationResult(
            .size, "size", expected: "a size \(size.words) bytes", found: "\(count)", isMet: size.holds(count))
    }

    private static func certificate(_ days: Int, _ observation: Observation) -> ExpectationResult {
        let left = observation.certificateEnd.map { $0.timeIntervalSince(observation.now) / 86_400 }
        let whole = left.map { Int(max(-100_000, min(100_000, $0.rounded(.down)))) }
        return ExpectationResult(
            .certificate, "certificate", expected: "a certificate that is valid for \(days) days",
            found: whole.map { $0 < 0 ? "one that has expired" : "\($0) days" } ?? "no certificate",
            isMet: whole.map { $0 >= days && $0 >= 0 } ?? false)
    }
}

extension HeaderExpectation {
    /// Returns the verdicts. One value of a header that came several times has to meet each condition.
    func results(_ observation: Observation) -> [ExpectationResult] {
        let key = RequestHeaders.Key(name)
        let values = observation.headers.fields.filter { $0.key == key }.map(\.value.text)
        return (conditions.isEmpty ? [.exists(true)] : conditions).map { condition in
            let subject = "header \(name.excerpt(60))"
            return ExpectationResult(
                .header(name), subject, expected: observation.mask(condition.words(of: subject)),
                found: values.isEmpty
                    ? "none" : observation.excerpt(values.map(JSONValue.quoted).joined(separator: ", ")),
                isMet: isMet(condition, values, within: observation.time))
        }
    }

    private func isMet(
        _ condition: ValueCondition, _ values: [String], within time: EvaluationTime
    ) -> Bool {
        switch condition {
        case .exists(let exists): values.isEmpty != exists
        case .equals(.string(let text)): values.contains { accepts($0, text) }
        case .contains(.string(let text)): values.contains { TextTest.contains(Bytes($0.utf8), text) }
        case .matches(let pattern): values.contains { TextTest.matches(Bytes($0.utf8), pattern, within: time) }
        case .not(let condition):
            !values.isEmpty && !isMet(condition, values, within: time) && time.interruption == nil
        case .equals, .contains, .type, .count, .less, .atMost, .greater, .atLeast: false
        }
    }

    /// A media type without parameters is expected with any.
    private func accepts(_ value: String, _ text: String) -> Bool {
        if value == text { return true }
        guard name.lowercased() == "content-type", !text.contains(";") else { return false }
        return value.prefix { $0 != ";" }.description.trimmed.lowercased() == text.lowercased()
    }
}

enum TextTest {
    static func contains(_ bytes: Bytes, _ text: String) -> Bool {
        guard let pattern = try? SearchPattern(text, syntax: .text, case: .matters) else { return true }
        return Finder(pattern).first(in: bytes, from: 0, before: bytes.count) != nil
    }

    /// False for a pattern that is not valid, and once the time is over.
    static func matches(_ bytes: Bytes, _ pattern: String, within time: EvaluationTime) -> Bool {
        (try? TextPattern(pattern))?.matches(bytes, within: time) ?? false
    }
}

/// The verdict on one expectation, with every secret masked.
package struct ExpectationResult: Equatable, Sendable {
    /// The part of a response that an expectation is about.
    package enum Place: Equatable, Sendable {
        case status, time, size, certificate
        case header(String)
        /// A value of the body, by the offset of its first byte; nil if it is absent.
        case body(offset: Int?)
    }

    package var place: Place
    /// The part by name: `status`, `$.id`, `header ETag`.
    package var subject: String
    /// To follow the word `expected`: `status 2xx`, `$.id of type integer`.
    package var expected: String
    /// The value in the response, as an excerpt.
    package var found: String
    package var isMet: Bool
    /// The sentence of a verdict with its own wording: `differs from the document: …`. nil for others.
    package internal(set) var statement: String?

    package init(_ place: Place, _ subject: String, expected: String, found: String, isMet: Bool) {
        self.place = place
        self.subject = subject
        self.expected = expected
        self.found = found
        self.isMet = isMet
    }

    /// The keys under which a file has the expectation, the nearest first.
    var keys: [String] {
        switch place {
        case .status: ["status"]
        case .time: [subject == "time" ? "within" : "firstAttemptWithin"]
        case .size: ["size"]
        case .certificate: ["certificateDays"]
        case .header: ["headers"]
        case .body: [subject, "body", "schema"]
        }
    }

    /// `expected status 2xx, got 503`
    package var sentence: String { statement ?? "expected \(expected), \(place == .time ? "took" : "got") \(found)" }

    /// `expectation` in `schema/run.schema.json`.
    var json: JSONValue {
        [
            "subject": .string(subject), "expected": .string(expected), "found": .string(found), "met": .bool(isMet),
        ]
    }
}

extension [ExpectationResult] {
    /// The number of those that are not met.
    package var failureCount: Int { count(where: { !$0.isMet }) }

    /// `1 failed expectation of 4`, which says so where its end is cut, or `4 expectations` where all are met.
    package var words: String {
        let noun = (failureCount == 0 ? count : failureCount) == 1 ? "expectation" : "expectations"
        return failureCount == 0 ? "\(count) \(noun)" : "\(failureCount) failed \(noun) of \(count)"
    }
}
