/// Header fields in the order of insertion. Names are compared without case (RFC 9110 §5.1).
///
/// Any text is accepted; text that HTTP forbids makes the request malformed (`MalformedRequest.Part.header`).
public struct RequestHeaders: Sendable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name.
        public var key: Key
        /// The value.
        public var value: Value

        /// Creates a field.
        public init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// Every field, in order; names may repeat.
    public private(set) var fields: [Field]

    /// Creates headers with all fields, including those with equal names.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value of a name; setting replaces every field of the name, nil removes them.
    public subscript(key: Key) -> Value? {
        get { value(for: key) }
        set { set(value: newValue, forKey: key) }
    }

    /// Returns the first value of a name.
    public func value(for key: Key) -> Value? {
        fields.first { $0.key == key }?.value
    }

    /// Replaces every field of the name, at the position of the first; nil removes them.
    public mutating func set(value: Value?, forKey key: Key) {
        guard let value else { return removeValue(forKey: key) }
        guard let index = fields.firstIndex(where: { $0.key == key }) else {
            return fields.append(Field(key, value))
        }
        fields[index].value = value
        fields[(index + 1)...].removeAll { $0.key == key }
    }

    /// Adds a field after those of the same name (`Set-Cookie` may repeat).
    public mutating func append(_ value: Value, forKey key: Key) {
        fields.append(Field(key, value))
    }

    /// Removes every field of the name.
    public mutating func removeValue(forKey key: Key) {
        fields.removeAll { $0.key == key }
    }

    /// Returns these headers, with each field of `other` replacing the fields of the same name.
    public func merging(_ other: RequestHeaders) -> RequestHeaders {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Replaces the fields with names in `other`, and adds the rest of `other`.
    public mutating func merge(_ other: RequestHeaders) {
        guard !isEmpty else { return self = other }
        guard !other.isEmpty else { return }
        fields.removeAll { other.contains($0.key) }
        fields += other.fields
    }

    mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

    private func contains(_ key: Key) -> Bool { fields.contains { $0.key == key } }

    /// True without any field.
    public var isEmpty: Bool { fields.isEmpty }

    /// Returns every value of a name, in order.
    public func values(for key: Key) -> [Value] {
        fields.filter { $0.key == key }.map(\.value)
    }

    /// Combines the fields in order.
    public func reduce<Result>(
        _ initial: Result, _ combine: (Result, Field) throws -> Result
    ) rethrows -> Result {
        try fields.reduce(initial, combine)
    }
}

extension RequestHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers; the first of equal names wins.
    public init(dictionaryLiteral elements: (Key, Value)...) {
        self.init()
        for (key, value) in elements where self.value(for: key) == nil {
            append(value, forKey: key)
        }
    }
}

extension RequestHeaders: Hashable {
    /// Returns true if both hold the same fields; the order of different names is ignored.
    public static func == (left: RequestHeaders, right: RequestHeaders) -> Bool {
        left.grouped == right.grouped
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(grouped) }

    private var grouped: [Key: [Value]] {
        Dictionary(grouping: fields, by: \.key).mapValues { $0.map(\.value) }
    }
}

extension RequestHeaders {
    /// Creates headers from a dictionary, sorted by name.
    public init(_ fields: [String: String]) {
        self.init(fields.sorted { $0.key < $1.key }.map { Field(Key($0.key), Value($0.value)) })
    }
}
