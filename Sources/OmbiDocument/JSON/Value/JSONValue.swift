/// A JSON value (RFC 8259) that preserves the order of members and the digits of numbers.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number as written: `1.50` stays `1.50`, and no digit of a large one is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value in an object.
    package struct Member: Sendable, Hashable {
        package var key: String
        package var value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package static func number(_ value: Int) -> JSONValue { .number(String(value)) }

    /// The shortest text that reads back as the same number; infinity and NaN, which JSON lacks, become null.
    package static func number(_ value: Double) -> JSONValue {
        guard value.isFinite else { return .null }
        let text = value.description
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// The first member of that name; nil if there is none or this is not an object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var stringValue: String? { if case .string(let text) = self { text } else { nil } }

    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// Returns an object with the members of both; this value if one of them is no object.
    package func appending(_ other: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let others) = other else { return self }
        return .object(members + others)
    }
}

/// Values as literals: `["id": 7, "tags": ["a", "b"], "note": .nullable(note)]`.
///
/// No literal is `null`, since `nil` is a member that is left out.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .number(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object. Members keep their order, duplicate names included; a member whose value is nil is left out.
    package init(dictionaryLiteral elements: (String, JSONValue?)...) {
        self = .object(elements.compactMap { element in element.1.map { Member(element.0, $0) } })
    }

    /// A string, or `null` for nil.
    package static func nullable(_ text: String?) -> JSONValue {
        guard let text else { return .null }
        return .string(text)
    }

    /// A number, or `null` for nil.
    package static func nullable(_ number: Int?) -> JSONValue {
        guard let number else { return .null }
        return .number(number)
    }

    package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}

/// Text is compared byte by byte: a composed and a decomposed `é` are two.
extension JSONValue {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)): areEqual(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    fileprivate static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }
}

extension JSONValue.Member {
    package static func == (left: JSONValue.Member, right: JSONValue.Member) -> Bool {
        JSONValue.areEqual(left.key, right.key) && left.value == right.value
    }
}

extension JSONValue {
    /// Parses a text. Both members of a duplicate key are kept.
    /// - Parameter onDuplicate: called for each duplicate key.
    package static func parse(
        _ text: String, onDuplicate: (JSONSyntaxError) -> Void = { _ in }
    ) throws(JSONSyntaxError) -> JSONValue {
        let document = try JSONDocument(checking: Bytes(text.utf8))
        document.duplicateKeys.forEach { onDuplicate($0.error) }
        return document.firstRoot.map(document.value) ?? .null
    }
}

extension JSONDocument {
    /// Returns the value at `node`, which is complete.
    package func value(of node: JSONNode) -> JSONValue {
        var open: [(members: [JSONValue.Member], elements: [JSONValue])] = []
        var index = node.index
        while true {
            var finished: JSONValue
            if isEnd(index) {
                guard let content = open.popLast() else { return .null }
                index = Int(link(index))
                finished = firstByte(index) == UInt8(ascii: "{") ? .object(content.members) : .array(content.elements)
            } else if isScalar(index) {
                finished = scalar(index)
            } else {
                open.append(([], []))
                index += 1
                continue
            }
            guard !open.isEmpty else { return finished }
            let key = key(of: JSONNode(index))
            if let key { open[open.count - 1].members.append(JSONValue.Member(key.string, finished)) }
            if key == nil { open[open.count - 1].elements.append(finished) }
            index = after(index)
        }
    }

    private func scalar(_ index: Int) -> JSONValue {
        let node = JSONNode(index)
        return switch kind(of: node) {
        case .true: .bool(true)
        case .false: .bool(false)
        case .number: .number(source(of: node))
        case .string: .string(text(of: node)?.string ?? "")
        case .null, .array, .object: .null
        }
    }
}
