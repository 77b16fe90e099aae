/// A part that few have. It takes a word where it is nil: a collection keeps thousands of requests, copies share what they have,
/// and most have next to nothing but a name and a path.
///
/// `Value` is not constrained to `Equatable`, which the runtime would look up at the start for each type of it.
@propertyWrapper
public struct Rare<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box?

    public init(wrappedValue: Value? = nil) { box = wrappedValue.map(Box.init) }

    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }
}

extension Rare: Equatable where Value: Equatable {
    public static func == (one: Rare, other: Rare) -> Bool {
        one.box === other.box || one.box?.value == other.box?.value
    }
}
