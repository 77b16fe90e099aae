import OmbiCore
import OmbiDocument

/// The retries and time limits of a request. Nil inherits from the environment, then the collection, then the defaults.
public struct RequestPolicy: Sendable, Equatable {
    /// Attempts after the first one.
    public var retries: Int?
    /// The limit over all attempts and the waits between them.
    public var sla: Duration?
    /// The limit of one attempt.
    public var timeout: Duration?
    public var backoff: Backoff?
    /// Nil retries connection failures, timeouts and transient statuses.
    public var retryOn: [RetryCondition]?
    public var unknown = UnknownMembers()
    var unknownInBackoff = UnknownMembers()

    public init(
        retries: Int? = nil, sla: Duration? = nil, timeout: Duration? = nil, backoff: Backoff? = nil,
        retryOn: [RetryCondition]? = nil
    ) {
        self.retries = retries
        self.sla = sla
        self.timeout = timeout
        self.backoff = backoff
        self.retryOn = retryOn
    }

    /// Returns this policy, with its nil values taken from `base`.
    public func merging(over base: RequestPolicy?) -> RequestPolicy {
        var merged = self
        merged.retries = retries ?? base?.retries
        merged.sla = sla ?? base?.sla
        merged.timeout = timeout ?? base?.timeout
        merged.backoff = backoff ?? base?.backoff
        merged.retryOn = retryOn ?? base?.retryOn
        return merged
    }
}

extension RequestPolicy: JSONObjectConvertible {
    static let keys = ["retries", "sla", "timeout", "backoff", "retryOn"]
    private static let backoffKeys = ["first", "factor", "jitter", "ceiling"]

    init(reading object: ObjectReader) {
        self.init(
            retries: object.integer("retries", in: 0...1000), sla: object.duration("sla"),
            timeout: object.duration("timeout"), retryOn: Self.conditions(in: object))
        if let inner = object.object("backoff") {
            if !inner.has("first") { inner.missing("first") }
            backoff = Backoff(
                first: inner.duration("first", allowsZero: true) ?? .zero,
                factor: inner.double("factor", in: 1...1000) ?? 2, jitter: inner.double("jitter", in: 0...1) ?? 0,
                ceiling: inner.duration("ceiling"))
            unknownInBackoff = inner.unknown(besides: Self.backoffKeys)
        }
        unknown = object.unknown(besides: Self.keys)
    }

    private static func conditions(in object: ObjectReader) -> [RetryCondition]? {
        object.array("retryOn").map { values in
            values.compactMap { value in
                if let text = value.string, let condition = RetryCondition(text) { return condition }
                object.log.error(
                    at: value.offset,
                    "\"retryOn\": expected \"connection\", \"timeout\", or a status such as \"5xx\" or \"429\"")
                return nil
            }
        }
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("retries", retries.map { .number($0) })
        writer.add("sla", duration: sla)
        writer.add("timeout", duration: timeout)
        writer.add("backoff", backoff.map(backoffJSON))
        writer.add("retryOn", retryOn.map { .array($0.map { .string($0.description) }) })
        return writer.object(unknown)
    }

    private func backoffJSON(_ backoff: Backoff) -> JSONValue {
        var writer = ObjectWriter()
        writer.add("first", duration: backoff.first)
        writer.add("factor", backoff.factor == 2 ? nil : .number(backoff.factor))
        writer.add("jitter", backoff.jitter == 0 ? nil : .number(backoff.jitter))
        writer.add("ceiling", duration: backoff.ceiling)
        return writer.object(unknownInBackoff)
    }
}
