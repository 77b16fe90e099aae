/// A metric that a server reports about the time of its response (W3C Server Timing §3): `db;dur=53.2;desc="Postgres"`.
package struct ServerTiming: Sendable, Equatable {
    package var name: String
    /// Nil for a metric without one: a remark, such as `miss`.
    package var duration: Duration?
    package var description: String?

    /// The maximum number of metrics of a response; later ones are left out.
    package static let maximumCount = 64
    private static let maximumName = 80
    private static let maximumDescription = 200

    package init(_ name: String, _ duration: Duration? = nil, description: String? = nil) {
        (self.name, self.duration, self.description) = (name, duration, description)
    }

    /// Returns the metrics of all `Server-Timing` fields, in order. Text that is none is left out.
    package static func metrics(in headers: RequestHeaders) -> [ServerTiming] {
        FieldItem.list("Server-Timing", in: headers, maximum: maximumCount).filter { !$0.isQuoted }.map { item in
            let description = item["desc"].map { $0.excerpt(maximumDescription) }
            return ServerTiming(
                item.name.excerpt(maximumName), item["dur"].flatMap { time($0) },
                description: description?.isEmpty == true ? nil : description)
        }
    }

    /// Returns a time in milliseconds; nil for no number, and for one that is negative or has no end.
    private static func time(_ text: String) -> Duration? {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard isPlain, let milliseconds = Double(text), milliseconds.isFinite, milliseconds >= 0 else { return nil }
        let nanoseconds = (milliseconds * 1e6).rounded()
        return nanoseconds < 1e18 ? .nanoseconds(Int64(nanoseconds)) : .longest
    }
}
