/// The budget of retries and the breaker: what a policy does for the server, and all runs to it share.
extension RequestPolicy {
    private static let shareForm = "write a percentage above 0 and at most 100, such as \"20%\""
    private static let breakerForm = "write for example \"5 within 30s pause 10s\""
    private static let standardBreaker = CircuitBreaker()

    // MARK: In a file

    static var budgetSchema: JSONValue {
        Schema.text(
            "The retries that an origin is sent by all requests together, as a share of the first attempts of the last "
                + "minute; three in any case: \"20%\".", pattern: "^(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%$")
    }

    static func budget(_ key: String, in object: ObjectReader) -> RetryBudget? {
        guard let text = object.string(key) else { return nil }
        guard let budget = parsedBudget(text) else {
            object.error(key, "\(JSONValue.quoted(text)) is no share of retries; \(shareForm)")
            return nil
        }
        return budget
    }

    static let breakerMembers = Members<CircuitBreaker>([
        .integer(
            "failures", "The failed attempts that open it: no connection, a timeout, or 5xx that is not expected.",
            in: failures, isRequired: true, { $0.failures = $1 }, { $0.failures }),
        .duration(
            "within", "The time in which they count; 30s by default.", { $0.within = $1 },
            { $0.within == standardBreaker.within ? nil : $0.within }),
        .duration(
            "pause", "The time before one attempt is sent as a probe; 10s by default.", { $0.pause = $1 },
            { $0.pause == standardBreaker.pause ? nil : $0.pause }),
    ])

    private static let failures = 1...CircuitBreaker.maximumFailures

    // MARK: As lines of text

    static let guardFields: [FieldDescriptor<RequestPolicy>] = [
        FieldDescriptor("retry budget", example: "20%") {
            $0.retryBudget.map { budgetText($0) } ?? ""
        } write: { policy, text throws(FieldError) in
            guard !text.isEmpty else { return policy.retryBudget = nil }
            guard let budget = parsedBudget(text) else {
                throw FieldError("\"\(text)\" is no share of retries; \(shareForm)")
            }
            policy.retryBudget = budget
        },
        FieldDescriptor("breaker", example: "5 within 30s pause 10s") {
            $0.breaker.map { breakerText($0) } ?? ""
        } write: { policy, text throws(FieldError) in
            policy.breaker = try parsedBreaker(text)
        },
    ]

    /// `20%`
    package static func budgetText(_ budget: RetryBudget) -> String {
        // A share such as 0.07 has no exact number, and its percentage has none either.
        JSONValue.number((budget.share * 1e8).rounded() / 1e6).compact + "%"
    }

    /// `5 within 30s pause 10s`
    package static func breakerText(_ breaker: CircuitBreaker) -> String {
        "\(breaker.failures) within \(DurationText.format(breaker.within)) pause \(DurationText.format(breaker.pause))"
    }

    /// Reads a budget from that form; nil for any other text.
    package static func parsedBudget(_ text: String) -> RetryBudget? {
        let digits = text.dropLast()
        guard text.hasSuffix("%"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let percent = Double(digits), percent > 0, percent <= 100
        else { return nil }
        return RetryBudget(share: percent / 100)
    }

    /// Reads a breaker from that form, whose times may be left out; nil for an empty text.
    package static func parsedBreaker(_ text: String) throws(FieldError) -> CircuitBreaker? {
        var words = text.split(separator: " ").map(String.init)[...]
        guard let first = words.popFirst() else { return nil }
        guard let count = Int(first), failures.contains(count) else {
            throw FieldError("\"\(first)\" is no number of failures from 1 to \(failures.upperBound); \(breakerForm)")
        }
        var breaker = CircuitBreaker(failures: count)
        while let word = words.popFirst() {
            guard ["within", "pause"].contains(word), let time = try FieldText.duration(words.popFirst() ?? "?") else {
                throw FieldError("\"\(word)\" is no part of a breaker; \(breakerForm)")
            }
            if word == "within" { breaker.within = time } else { breaker.pause = time }
        }
        return breaker
    }
}
