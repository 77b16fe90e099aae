import OmbiCore
import OmbiDocument

/// The expected outcome of a request's run, checked by `ombi run` and shown beside the response.
public struct Expectation: Sendable, Equatable {
    /// The accepted statuses; empty accepts any.
    public var status: [StatusPattern]
    /// The limit of the whole run, attempts and waits together.
    public var within: Duration?
    /// The limit of the first attempt alone.
    public var firstAttemptWithin: Duration?
    /// The size of the body after decoding, in bytes.
    public var size: NumberComparison?
    /// The minimum number of days for which the certificate of the server stays valid.
    public var certificateDays: Int?
    public var headers: [HeaderExpectation]
    public var body: [BodyExpectation]
    /// The JSON Schema of the whole body (draft 2020-12).
    public var schema: SavedSchema?
    /// The same, read for a run.
    var loadedSchema: LoadedSchema?
    public var unknown = UnknownMembers()

    public init(
        status: [StatusPattern] = [], within: Duration? = nil, firstAttemptWithin: Duration? = nil,
        size: NumberComparison? = nil, certificateDays: Int? = nil, headers: [HeaderExpectation] = [],
        body: [BodyExpectation] = []
    ) {
        self.status = status
        self.within = within
        self.firstAttemptWithin = firstAttemptWithin
        self.size = size
        self.certificateDays = certificateDays
        self.headers = headers
        self.body = body
    }
}

extension Expectation {
    /// The number of expectations: each condition is one, and so is a row without conditions.
    public var count: Int {
        let conditions = headers.map(\.conditions.count) + body.map(\.conditions.count)
        let others = [
            !status.isEmpty, within != nil, firstAttemptWithin != nil, size != nil, certificateDays != nil,
            schema != nil,
        ]
        return others.count { $0 } + conditions.reduce(0) { $0 + max(1, $1) }
    }
}

extension Expectation: JSONObjectConvertible {
    static let keys = [
        "status", "within", "firstAttemptWithin", "size", "certificateDays", "headers", "body", "schema",
    ]

    init(reading object: ObjectReader) {
        self.init(
            status: Self.status(in: object), within: object.duration("within"),
            firstAttemptWithin: object.duration("firstAttemptWithin"), size: object.comparison("size"),
            certificateDays: object.integer("certificateDays", in: 0...3650),
            headers: object.headerExpectations("headers"), body: object.list("body", of: BodyExpectation.self))
        schema = SavedSchema("schema", in: object)
        unknown = object.unknown(besides: Self.keys)
        warn(object)
    }

    private static func status(in object: ObjectReader) -> [StatusPattern] {
        guard let value = object.value("status") else { return [] }
        return (value.kind == .array ? value.elements : [value]).compactMap { value in
            if let text = value.string ?? value.digits, let pattern = StatusPattern(text) { return pattern }
            object.log.error(
                at: value.offset, "\"status\": expected a status such as \"2xx\" or \"200\", or a list of them")
            return nil
        }
    }

    /// Logs what cannot be met together.
    private func warn(_ object: ObjectReader) {
        if let within, let firstAttemptWithin, firstAttemptWithin > within {
            object.log.warning(
                at: object.value("firstAttemptWithin")?.offset ?? object.offset,
                "\"firstAttemptWithin\": is longer than \"within\", which holds for all attempts together")
        }
        var values: [String: JSONValue] = [:]
        for (index, expected) in body.enumerated() {
            for case .equals(let value) in expected.conditions {
                guard let path = expected.path else { continue }
                if let other = values[path], other != value {
                    object.log.warning(
                        at: object.array("body")?[safe: index]?.offset ?? object.offset,
                        "\(JSONValue.quoted(path)) is expected to equal \(other.compact.excerpt(40)) above; "
                            + "remove one of the two")
                }
                values[path] = value
            }
        }
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        let patterns = status.map { JSONValue.string($0.description) }
        writer.add("status", patterns.count == 1 ? patterns[0] : patterns.isEmpty ? nil : .array(patterns))
        writer.add("within", duration: within)
        writer.add("firstAttemptWithin", duration: firstAttemptWithin)
        writer.add("size", size?.json)
        writer.add("certificateDays", certificateDays.map { .number($0) })
        writer.add("headers", headers: headers)
        writer.add("body", list: body.map(\.json))
        writer.add("schema", schema?.json)
        return writer.object(unknown)
    }
}
