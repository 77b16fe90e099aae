/// A part that few have, or that is large. It takes one word, and copies share it: a collection keeps thousands of requests, most
/// of them with next to nothing but a name and a path, and a result goes through many hands.
///
/// It is inlined into other modules: they read such parts for each key, and would look up the type of the box each time.
///
/// `Value` is not constrained to `Equatable`, which the runtime would look up at the start for each type of it.
@propertyWrapper
public struct Rare<Value: Sendable>: Sendable {
    /// Changed only while nobody else refers to it.
    @usableFromInline final class Box: @unchecked Sendable {
        @usableFromInline var value: Value?

        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box?

    @inlinable public init(wrappedValue: Value? = nil) { box = wrappedValue.map(Box.init) }

    @inlinable public var wrappedValue: Value? {
        // In place, too: to look at one member of a large value costs no copy of the whole.
        _read {
            if let box { yield box.value } else { yield nil }
        }
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
