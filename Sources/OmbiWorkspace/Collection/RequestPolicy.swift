/// The retries and time limits of a request. Nil inherits from the environment, then the collection, then the defaults.
package struct RequestPolicy: Sendable, Equatable {
    /// Attempts after the first one.
    package var retries: Int?
    /// The limit over all attempts and the waits between them.
    package var sla: Duration?
    /// The limit of one attempt.
    package var timeout: Duration?
    package var backoff: Backoff?
    /// Nil retries connection failures, timeouts, and transient statuses that the request does not expect.
    package var retryOn: [RetryCondition]?
    /// The share of retries that all requests to one origin are sent together.
    package var retryBudget: RetryBudget?
    /// The rule by which attempts are held while their origin fails.
    package var breaker: CircuitBreaker?
    package var unknown = UnknownMembers()
    var unknownInBackoff = UnknownMembers()
    var unknownInBreaker = UnknownMembers()

    package init(
        retries: Int? = nil, sla: Duration? = nil, timeout: Duration? = nil, backoff: Backoff? = nil,
        retryOn: [RetryCondition]? = nil, retryBudget: RetryBudget? = nil, breaker: CircuitBreaker? = nil
    ) {
        self.retries = retries
        self.sla = sla
        self.timeout = timeout
        self.backoff = backoff
        self.retryOn = retryOn
        self.retryBudget = retryBudget
        self.breaker = breaker
    }

    /// The limits where no level sets one.
    static let defaultSLA: Duration = .seconds(60)
    static let defaultTimeout: Duration = .seconds(30)

    var effectiveSLA: Duration { sla ?? Self.defaultSLA }
    var effectiveTimeout: Duration { timeout ?? Self.defaultTimeout }

    /// Returns this policy, with its nil values taken from `base`.
    package func merging(over base: RequestPolicy?) -> RequestPolicy {
        var merged = self
        merged.retries = retries ?? base?.retries
        merged.sla = sla ?? base?.sla
        merged.timeout = timeout ?? base?.timeout
        merged.backoff = backoff ?? base?.backoff
        merged.retryOn = retryOn ?? base?.retryOn
        merged.retryBudget = retryBudget ?? base?.retryBudget
        merged.breaker = breaker ?? base?.breaker
        return merged
    }

    /// The same with the members that only the other one has: those that Ombi does not know, and a deviation of waits.
    package func keeping(_ old: RequestPolicy?) -> RequestPolicy {
        guard let old else { return self }
        var kept = self
        (kept.unknown, kept.unknownInBackoff) = (old.unknown, old.unknownInBackoff)
        kept.unknownInBreaker = old.unknownInBreaker
        if let backoff, let before = old.backoff {
            kept.backoff = Backoff(
                first: backoff.first, factor: backoff.factor, jitter: before.jitter, ceiling: before.ceiling)
        }
        return kept
    }
}

extension RequestPolicy: SavedObject {
    static let members = Members<RequestPolicy>([
        .integer(
            "retries", "Attempts after the first one; 0 by default.", in: 0...1000, { $0.retries = $1 }, { $0.retries }),
        .duration(
            "sla", "The limit over all attempts and waits; \(DurationText.format(defaultSLA)) by default.",
            { $0.sla = $1 }, { $0.sla }),
        .duration(
            "timeout", "The limit of one attempt; \(DurationText.format(defaultTimeout)) by default.",
            { $0.timeout = $1 }, { $0.timeout }),
        Member(
            "backoff", backoffMembers.schema("The waits between attempts: first, first × factor, first × factor², …")
        ) {
            guard let inner = $1.object($2) else { return }
            var read = Backoff(first: .zero)
            $0.unknownInBackoff = inner.read(backoffMembers, into: &read)
            $0.backoff = read
        } write: { policy in
            policy.backoff.map { backoffMembers.json($0, policy.unknownInBackoff) }
        },
        Member(
            "retryOn", retryOnSchema, read: { $0.retryOn = conditions($2, in: $1) },
            write: { $0.retryOn.map { .array($0.map { .string($0.description) }) } }),
        Member(
            "retryBudget", budgetSchema, read: { $0.retryBudget = budget($2, in: $1) },
            write: { $0.retryBudget.map { .string(budgetText($0)) } }),
        Member(
            "breaker",
            breakerMembers.schema("Holds attempts while the server of an origin fails, for all requests to it.")
        ) {
            guard let inner = $1.object($2) else { return }
            var read = CircuitBreaker()
            $0.unknownInBreaker = inner.read(breakerMembers, into: &read)
            $0.breaker = read
        } write: { policy in
            policy.breaker.map { breakerMembers.json($0, policy.unknownInBreaker) }
        },
    ])

    private static let backoffMembers = Members<Backoff>([
        .duration("first", nil, isRequired: true, allowsZero: true, { $0.first = $1 }, { $0.first }),
        factor("factor", nil, in: 1...1000, default: 2, { $0.factor = $1 }, { $0.factor }),
        factor(
            "jitter", "The random variation of waits: 0.2 is ±20 %.", in: 0...1, default: 0, { $0.jitter = $1 },
            { $0.jitter }),
        .duration("ceiling", "The maximum wait.", { $0.ceiling = $1 }, { $0.ceiling }),
    ])

    private static func factor(
        _ key: String, _ description: String?, in range: ClosedRange<Double>, default standard: Double,
        _ set: @escaping @Sendable (inout Backoff, Double) -> Void, _ get: @escaping @Sendable (Backoff) -> Double
    ) -> Member<Backoff> {
        Member(
            key,
            [
                "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
                "default": .number(standard), "description": description.map(JSONValue.string),
            ]
        ) { backoff, object, key in
            if let number = object.double(key, in: range) { set(&backoff, number) }
        } write: {
            get($0) == standard ? nil : .number(get($0))
        }
    }

    private static var retryOnSchema: JSONValue {
        Schema.list(
            "The failures that are retried; by default connection, timeout, and those of 408, 425, 429, 500, 502, 503 "
                + "and 504 that are not expected.",
            of: Schema.text(pattern: "^(connection|timeout|[1-5]xx|[1-5][0-9][0-9])$"))
    }

    init(reading object: ObjectReader) {
        self.init()
        unknown = object.read(Self.members, into: &self)
    }

    private static func conditions(_ key: String, in object: ObjectReader) -> [RetryCondition]? {
        object.array(key).map { values in
            values.compactMap { value in
                if let text = value.string, let condition = RetryCondition(text) { return condition }
                object.log.error(
                    at: value.offset,
                    "\"\(key)\": expected \"connection\", \"timeout\", or a status such as \"5xx\" or \"429\"")
                return nil
            }
        }
    }
}

extension RequestPolicy {
    /// The settings as lines of text; an empty text inherits.
    package static let fields = retryFields + guardFields

    private static let retryFields: [FieldDescriptor<RequestPolicy>] = [
        FieldDescriptor("retries") {
            $0.retries.map(String.init) ?? ""
        } write: { policy, text throws(FieldError) in
            policy.retries = try FieldText.count(text)
        },
        FieldDescriptor("SLA", duration: \.sla),
        FieldDescriptor("timeout", duration: \.timeout),
        FieldDescriptor("backoff first") {
            $0.backoff.map { DurationText.format($0.first) } ?? ""
        } write: { policy, text throws(FieldError) in
            policy.backoff = try backoff(first: text, policy.backoff)
        },
        FieldDescriptor("backoff factor") {
            $0.backoff.map { JSONValue.number($0.factor).compact } ?? ""
        } write: { policy, text throws(FieldError) in
            policy.backoff = try backoff(policy.backoff, \.factor, text, in: 1...100, standard: 2)
        },
        FieldDescriptor("backoff jitter") {
            $0.backoff.map { JSONValue.number($0.jitter).compact } ?? ""
        } write: { policy, text throws(FieldError) in
            policy.backoff = try backoff(policy.backoff, \.jitter, text, in: 0...1, standard: 0)
        },
        FieldDescriptor("retry on") {
            $0.retryOn.map { $0.map(\.description).joined(separator: ", ") } ?? ""
        } write: { policy, text throws(FieldError) in
            let conditions = try FieldText.list(text, "connection, timeout, or a status such as 5xx or 429") {
                RetryCondition($0)
            }
            policy.retryOn = conditions.isEmpty ? nil : conditions
        },
    ]

    private static func backoff(first text: String, _ old: Backoff?) throws(FieldError) -> Backoff? {
        guard let first = try FieldText.duration(text, allowsZero: true) else { return nil }
        return Backoff(first: first, factor: old?.factor ?? 2, jitter: old?.jitter ?? 0, ceiling: old?.ceiling)
    }

    private static func backoff(
        _ old: Backoff?, _ part: WritableKeyPath<Backoff, Double>, _ text: String, in range: ClosedRange<Double>,
        standard: Double
    ) throws(FieldError) -> Backoff {
        guard var backoff = old else { throw FieldError("set \"backoff first\" before, for example to 250ms") }
        guard let value = text.isEmpty ? standard : Double(text), range.contains(value) else {
            throw FieldError(
                "expected a number from \(range.lowerBound) to \(range.upperBound), for example \(standard)")
        }
        backoff[keyPath: part] = value
        return backoff
    }
}

extension RequestPolicy {
    /// The retry policy of the engine; nil values become the engine's defaults.
    /// - Parameter statuses: the statuses that the request expects, which are no failures of its server.
    func retryPolicy(expecting statuses: [StatusPattern] = []) -> RetryPolicy {
        var policy = RetryPolicy(
            retries: retries ?? 0, statusCodes: Self.transientStatusCodes(expecting: statuses),
            backoff: backoff ?? .none, retryBudget: retryBudget, breaker: breaker)
        policy.breaker?.expectedStatusCodes = Set(statuses.lazy.map(\.codes).joined())
        guard let retryOn else { return policy }
        policy.failures = []
        policy.statusCodes = []
        for condition in retryOn {
            switch condition {
            case .connection: policy.failures.insert(.connection)
            case .timeout: policy.failures.insert(.timeout)
            case .status(let pattern):
                policy.failures.insert(.status)
                policy.statusCodes.formUnion(pattern.codes)
            }
        }
        return policy
    }
}

extension RequestPolicy {
    /// The statuses that are retried where no `retryOn` lists them. One that the request expects is no failure; a list
    /// counts as it is written, as it may be meant to wait for another of the expected statuses.
    static func transientStatusCodes(expecting statuses: [StatusPattern]) -> Set<Int> {
        RetryPolicy.transientStatusCodes.filter { code in !statuses.contains { $0.matches(code) } }
    }

    /// The policy of a request when nothing sets one, for display.
    package static func standard(for request: SavedRequest) -> RequestPolicy {
        let codes = transientStatusCodes(expecting: request.expect?.status ?? [])
        return RequestPolicy(
            retries: 0, sla: defaultSLA, timeout: defaultTimeout,
            retryOn: [.connection, .timeout] + codes.sorted().map { .status(.code($0)) })
    }
}

/// A failure after which an attempt is repeated, as a policy lists it: `"connection"`, `"timeout"`, `"5xx"`, `"429"`.
package enum RetryCondition: Sendable, Hashable {
    case connection
    case timeout
    case status(StatusPattern)

    /// Nil for any other text.
    package init?(_ text: String) {
        switch text {
        case "connection": self = .connection
        case "timeout": self = .timeout
        default:
            guard let pattern = StatusPattern(text) else { return nil }
            self = .status(pattern)
        }
    }
}

extension RetryCondition: CustomStringConvertible {
    package var description: String {
        switch self {
        case .connection: "connection"
        case .timeout: "timeout"
        case .status(let pattern): pattern.description
        }
    }
}

/// The budget of retries and the breaker: what a policy does for the server, and all runs to it share.
extension RequestPolicy {
    package static let shareForm = "write a percentage above 0 and at most 100, such as \"20%\""
    private static let breakerForm = "write for example \"5 within 30s pause 10s\""
    private static let standardBreaker = CircuitBreaker()

    // MARK: In a file

    static var budgetSchema: JSONValue {
        Schema.text(
            "The retries that an origin is sent by all requests together, as a share of the first attempts of the last "
                + "minute; three in any case: \"20%\".", pattern: PercentText.pattern())
    }

    static func budget(_ key: String, in object: ObjectReader) -> RetryBudget? {
        guard let text = object.string(key, problem: { _ in shareForm }) else { return nil }
        return parsedBudget(text)
            ?? object.refuse(key, "\(JSONValue.quoted(text)) is no share of retries; \(shareForm)")
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
        PercentText.parse(text).map { RetryBudget(share: $0 / 100) }
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
