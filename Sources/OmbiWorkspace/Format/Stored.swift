/// A value of a file that is read from the file's text each time it is asked for: a collection has thousands of bodies, few
/// of which are ever opened or sent. A value that is set is kept.
///
/// `Value` is not constrained to `Equatable`, which the runtime would look up at the start for each type of it.
@propertyWrapper
package struct Stored<Value: Sendable>: Sendable {
    typealias Reading = @Sendable (JSONDocument, JSONNode) -> Value

    private enum Form: Sendable {
        case value(Value)
        case text(SharedDocument, JSONNode, Reading)
    }

    private var form: Form

    package init(wrappedValue: Value) { form = .value(wrappedValue) }

    /// - Parameter reading: returns the value at a node, the same each time.
    init(_ node: JSONNode, in document: SharedDocument, reading: @escaping Reading) {
        form = .text(document, node, reading)
    }

    package var wrappedValue: Value {
        get {
            switch form {
            case .value(let value): value
            case .text(let shared, let node, let reading): reading(shared.document, node)
            }
        }
        set { form = .value(newValue) }
    }
}

extension Stored {
    /// False where the text of the file shows that there is no template in the value, without reading it.
    var mayHoldTemplates: Bool {
        guard case .text(let shared, let node, _) = form else { return true }
        return shared.document.mayHold(twice: UInt8(ascii: "{"), in: node)
    }
}

extension Stored: Equatable where Value: Equatable {
    package static func == (one: Stored, other: Stored) -> Bool {
        if case .text(let document, let node, _) = one.form, case .text(document, node, _) = other.form { return true }
        return one.wrappedValue == other.wrappedValue
    }
}

/// A document that all values read from it refer to: by itself it takes a hundred bytes and three references.
final class SharedDocument: Sendable, Equatable {
    let document: JSONDocument

    init(_ document: JSONDocument) { self.document = document }

    static func == (one: SharedDocument, other: SharedDocument) -> Bool { one === other }
}

/// A part that few have, or that is large. It takes one word, and copies share it: a collection keeps thousands of requests, most
/// of them with next to nothing but a name and a path, and a result goes through many hands.
///
/// It is inlined into other modules: they read such parts for each key, and would look up the type of the box each time.
///
/// `Value` is not constrained to `Equatable`, as that of `Stored` is not.
@propertyWrapper
package struct Rare<Value: Sendable>: Sendable {
    /// Changed only while nobody else refers to it.
    @usableFromInline final class Box: @unchecked Sendable {
        @usableFromInline var value: Value?

        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box?

    @inlinable package init(wrappedValue: Value? = nil) { box = wrappedValue.map(Box.init) }

    @inlinable package var wrappedValue: Value? {
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
    package static func == (one: Rare, other: Rare) -> Bool {
        one.box === other.box || one.box?.value == other.box?.value
    }
}
