/// The requests that a server still allows, read from the headers of a response: `RateLimit` and `RateLimit-Policy`
/// (draft-ietf-httpapi-ratelimit-headers), the three fields of its older versions, the earlier `X-RateLimit-…`, and
/// `Retry-After` (RFC 9110 §10.2.3).
package struct RateLimit: Sendable, Equatable {
    /// The requests of a whole window; nil if unknown.
    package var limit: Int?
    /// The requests that are left; nil if unknown.
    package var remaining: Int?
    /// The time from the response to the next window; nil if unknown.
    package var reset: Duration?
    /// The time after the response during which another request is pointless; nil for none.
    package var retryAfter: Duration?

    package init(
        limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil, retryAfter: Duration? = nil
    ) {
        (self.limit, self.remaining, self.reset, self.retryAfter) = (limit, remaining, reset, retryAfter)
    }

    /// Reads a response; nil if it names neither a number of remaining requests nor a time to retry.
    /// - Parameter now: Seconds since 1970, for a response without `Date`; with nil, times of day are ignored.
    package init?(_ headers: RequestHeaders, now: @autoclosure () -> Int? = nil) {
        guard Self.isAnnounced(by: headers) else { return nil }
        let clock = headers["Date"].flatMap { RetryAfter.date($0.text) } ?? now()
        self = Self.structured(headers) ?? Self.separate(headers, clock) ?? RateLimit()
        if let text = headers[.retryAfter]?.text { retryAfter = Self.wait(text, clock) }
        if remaining == nil, retryAfter == nil { return nil }
    }

    /// Checks the names alone first: most responses have none of these fields.
    private static func isAnnounced(by headers: RequestHeaders) -> Bool {
        headers.fields.contains { field in
            let name = field.key.name
            guard (9...22).contains(name.utf8.count), let first = name.utf8.first, "rRxX".utf8.contains(first) else {
                return false
            }
            return field.key == .retryAfter || isLimit(name.lowercased())
        }
    }

    private static func isLimit(_ name: String) -> Bool {
        name.hasPrefix("ratelimit") || name.hasPrefix("x-ratelimit-") || name.hasPrefix("x-rate-limit-")
    }

    // MARK: One field

    private static let maximumPolicies = 16

    /// The tightest of the policies in `RateLimit`: `"default";r=50;t=30`, or `limit=100, remaining=50, reset=30`.
    private static func structured(_ headers: RequestHeaders) -> RateLimit? {
        let items = FieldItem.list("RateLimit", in: headers, maximum: maximumPolicies)
        guard !items.isEmpty else { return nil }
        let policies = FieldItem.list("RateLimit-Policy", in: headers, maximum: maximumPolicies)
        var found = items.compactMap { item -> RateLimit? in
            guard let remaining = item["r"].flatMap({ count($0) }) else { return nil }
            let quota = policies.first { $0.name == item.name }?["q"].flatMap { count($0) }
            return RateLimit(limit: quota, remaining: remaining, reset: item["t"].flatMap { seconds($0) })
        }
        let members = Dictionary(items.map { ($0.name.lowercased(), $0.value ?? "") }) { first, _ in first }
        if let remaining = members["remaining"].flatMap({ count($0) }) {
            found.append(
                RateLimit(
                    limit: members["limit"].flatMap { count($0) }, remaining: remaining,
                    reset: members["reset"].flatMap { seconds($0) }))
        }
        return found.min { one, other in
            let (left, right) = (one.remaining ?? 0, other.remaining ?? 0)
            return left == right ? one.reset ?? .zero > other.reset ?? .zero : left < right
        }
    }

    // MARK: Three fields

    private static let prefixes = ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"]

    private static func separate(_ headers: RequestHeaders, _ clock: Int?) -> RateLimit? {
        for prefix in prefixes {
            func text(_ name: String) -> String? { headers[RequestHeaders.Key(prefix + name)]?.text }
            guard let remaining = text("Remaining").flatMap({ count($0) }) else { continue }
            return RateLimit(
                limit: text("Limit").flatMap { count($0) }, remaining: remaining,
                reset: text("Reset").flatMap { window($0, clock) })
        }
        return nil
    }

    /// From here on a number is a moment since 1970, in seconds or milliseconds, and none until the reset.
    private static let firstMoment = 1e9
    private static let firstMilliseconds = 1e12

    /// Returns the time until a reset that is given as a number of seconds, as a moment, or as a date.
    private static func window(_ text: String, _ clock: Int?) -> Duration? {
        guard let value = number(text) else { return clock.flatMap { RetryAfter.wait(text, now: $0) } }
        guard value >= firstMoment else { return Duration(clampingSeconds: value) }
        let moment = value >= firstMilliseconds ? value / 1000 : value
        return clock.map { Duration(clampingSeconds: moment - Double($0)) }
    }

    /// A date needs a clock, and seconds do not.
    private static func wait(_ text: String, _ clock: Int?) -> Duration? {
        if let value = number(text) { return Duration(clampingSeconds: value) }
        return clock.flatMap { RetryAfter.wait(text, now: $0) }
    }

    // MARK: Numbers

    private static let maximumCount = 1e15

    /// Returns the number in front of what some servers add: `100, 100;w=60`. Less than nothing is nothing.
    private static func count(_ text: String) -> Int? {
        let first = text.prefix { !",;".contains($0) }
        let isNegative = first.drop { $0 == " " }.hasPrefix("-")
        return number(isNegative ? String(first.drop { $0 == " " || $0 == "-" }) : String(first)).map {
            isNegative ? 0 : Int(min($0, maximumCount))
        }
    }

    private static func seconds(_ text: String) -> Duration? {
        number(text).map { Duration(clampingSeconds: $0) }
    }

    /// Digits, and perhaps some after a point.
    private static func number(_ text: String) -> Double? {
        let plain = text.trimming { $0 == " " }
        let isPlain = plain.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        guard isPlain, plain.utf8.first != UInt8(ascii: "."), let value = Double(plain), value.isFinite else {
            return nil
        }
        return value
    }
}
