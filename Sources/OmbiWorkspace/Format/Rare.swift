/// A part that few have, or that is large. It takes one word, and copies share it: a collection keeps thousands of requests, most
/// of them with next to nothing but a name and a path, and a result goes through many hands.
///
/// `Value` is not constrained to `Equatable`, which the runtime would look up at the start for each type of it.
@propertyWrapper
public struct Rare<Value: Sendable>: Sendable {
    /// Changed only while nobody else refers to it.
    private final class Box: @unchecked Sendable {
        var value: Value?

        init(_ value: Value) { self.value = value }
    }

    private var box: Box?

    public init(wrappedValue: Value? = nil) { box = wrappedValue.map(Box.init) }

    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
        // In place: a large value that is taken out and put back is copied, with all that it holds.
        _modify {
            let isOwn = isKnownUniquelyReferenced(&box)
            if isOwn, let own = box {
                defer { if own.value == nil { box = nil } }
                yield &own.value
            } else {
                var value = box?.value
                defer { box = value.map(Box.init) }
                yield &value
            }
        }
    }
}

extension Rare: Equatable where Value: Equatable {
    public static func == (one: Rare, other: Rare) -> Bool {
        one.box === other.box || one.box?.value == other.box?.value
    }
}
