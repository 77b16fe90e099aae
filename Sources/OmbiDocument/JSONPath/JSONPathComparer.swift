/// Compares values by RFC 9535, section 2.3.5.2.2.
struct JSONPathComparer {
    let run: JSONPathRun
    private var document: JSONDocument { run.document }

    func holds(_ left: JSONPathValue, _ comparison: JSONPathComparison, _ right: JSONPathValue) -> Bool {
        switch comparison {
        case .equal: areEqual(left, right)
        case .notEqual: !areEqual(left, right)
        case .less: order(left, right).map { $0 < 0 } ?? false
        case .greater: order(left, right).map { $0 > 0 } ?? false
        // Values without an order may still be equal.
        case .lessOrEqual: order(left, right).map { $0 <= 0 } ?? areEqual(left, right)
        case .greaterOrEqual: order(left, right).map { $0 >= 0 } ?? areEqual(left, right)
        }
    }

    /// Returns a value below 0, 0 or above 0 for two numbers or two strings; nil otherwise.
    func order(_ left: JSONPathValue, _ right: JSONPathValue) -> Int? {
        let kind = left.kind(document)
        guard kind == right.kind(document) else { return nil }
        switch kind {
        case .number:
            return left.withDigits(document) { left in
                right.withDigits(document) { right in
                    run.step((left.count + right.count) >> 6)
                    return JSONNumberOrder.compare(left, right)
                }
            }
        case .string:
            return left.withText(document) { left in
                right.withText(document) { right in
                    run.step(((left?.count ?? 0) + (right?.count ?? 0)) >> 6)
                    return Self.compare(left, right)
                }
            }
        default: return nil
        }
    }

    /// Compares in the order of code points, which is the byte order of UTF-8.
    private static func compare(_ left: UnsafeBufferPointer<UInt8>?, _ right: UnsafeBufferPointer<UInt8>?) -> Int? {
        guard let left, let right else { return nil }
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return Int(left[index]) - Int(right[index])
        }
        return left.count - right.count
    }

    private func areEqual(_ left: JSONPathValue, _ right: JSONPathValue) -> Bool {
        let kind = left.kind(document)
        guard kind == right.kind(document) else { return false }
        if case .node(let first) = left, case .node(let second) = right, kind?.isContainer == true {
            return areEqualContainers(first, second)
        }
        return kind == .number || kind == .string ? order(left, right) == 0 : true
    }

    /// Compares without recursion, so that no nesting overflows the stack.
    private func areEqualContainers(_ first: Int, _ second: Int) -> Bool {
        var pairs = [(first, second)]
        while let (left, right) = pairs.popLast() {
            guard run.step() else { return false }
            if left == right { continue }
            let kind = JSONKind(firstByte: document.firstByte(left))
            guard kind.isContainer, kind == JSONKind(firstByte: document.firstByte(right)) else {
                guard areEqual(.node(left), .node(right)) else { return false }
                continue
            }
            guard appendChildren(left, right, areNamed: kind == .object, to: &pairs) else { return false }
        }
        return true
    }

    /// Appends the pairs of children that must be equal. Returns false when one has no partner.
    private func appendChildren(_ left: Int, _ right: Int, areNamed: Bool, to pairs: inout [(Int, Int)]) -> Bool {
        var (first, second) = (document.firstChild(left), document.firstChild(right))
        while let one = first, let other = second {
            guard run.step() else { return false }
            if areNamed {
                guard let partner = partner(of: one, at: other, in: right) else { return false }
                pairs.append((one, partner))
            } else {
                pairs.append((one, other))
            }
            (first, second) = (document.value(document.after(one)), document.value(document.after(other)))
        }
        return first == nil && second == nil
    }

    /// Returns the member of the object at `index` with the key of `member`: usually `guess`, at the same position.
    private func partner(of member: Int, at guess: Int, in index: Int) -> Int? {
        let key = document.decodedKey(member)
        return key.withUnsafeBufferPointer { key in
            let needsEscape = key.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
            if document.hasKey(guess, key, needsEscape: needsEscape) { return guess }
            return document.lastMember(key, needsEscape: needsEscape, of: index, run)
        }
    }
}

/// One side of a comparison.
enum JSONPathValue {
    /// No value at all, which is not null.
    case nothing
    /// A value of the document.
    case node(Int)
    case count(Int)
    case string(JSONPathBytes)
    case number(JSONPathBytes)
    /// True, false or null.
    case literal(JSONKind)

    func kind(_ document: JSONDocument) -> JSONKind? {
        switch self {
        case .nothing: nil
        case .node(let index): JSONKind(firstByte: document.firstByte(index))
        case .count, .number: .number
        case .string: .string
        case .literal(let kind): kind
        }
    }

    /// Passes the text of a string to `body`, nil for other kinds. Copies only strings with escapes.
    func withText<Result>(_ document: JSONDocument, _ body: (UnsafeBufferPointer<UInt8>?) -> Result) -> Result {
        switch self {
        case .string(let bytes): return bytes.withBuffer(body)
        case .node(let index) where document.firstByte(index) == 0x22:
            let literal = document.bytes(in: document.range(of: JSONNode(index)))
            guard document.hasEscapes(index) else {
                return body(literal.unquoted)
            }
            var decoder = JSONStringDecoder(literal, replacesSurrogates: false)
            return decoder.decode().withUnsafeBufferPointer(body)
        case .nothing, .node, .count, .number, .literal: return body(nil)
        }
    }

    /// Passes the digits of a number to `body`. Call it for numbers only.
    func withDigits<Result>(_ document: JSONDocument, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch self {
        case .number(let bytes): return bytes.withBuffer(body)
        case .node(let index): return body(document.bytes(in: document.range(of: JSONNode(index))))
        case .count(let count): return Array(String(count).utf8).withUnsafeBufferPointer(body)
        case .nothing, .string, .literal: return body(UnsafeBufferPointer(start: nil, count: 0))
        }
    }
}

/// Values of a document compared with given ones, as JSONPath compares them (RFC 9535, section 2.3.5.2.2).
extension JSONDocument {
    /// Returns true if the value at `node` equals `value`: numbers by their exact values, objects in any order of their
    /// members. False once the time is over.
    package func isEqual(_ node: JSONNode, to value: JSONValue, within time: EvaluationTime? = nil) -> Bool {
        guard contains(node) else { return false }
        let run = JSONPathRun(document: self, root: node.index, time: time)
        // Without recursion, so that no nesting overflows the stack.
        var pairs = [(node.index, value)]
        while let (index, value) = pairs.popLast() {
            guard run.step() else { return false }
            switch value {
            case .array(let elements):
                guard firstByte(index) == UInt8(ascii: "["), appendElements(of: index, elements, to: &pairs) else {
                    return false
                }
            case .object(let members):
                guard firstByte(index) == UInt8(ascii: "{"), appendMembers(of: index, members, run, to: &pairs) else {
                    return false
                }
            case .null, .bool, .number, .string:
                guard JSONPathComparer(run: run).holds(.node(index), .equal, JSONPathValue(scalar: value)) else {
                    return false
                }
            }
        }
        return true
    }

    private func appendElements(of index: Int, _ elements: [JSONValue], to pairs: inout [(Int, JSONValue)]) -> Bool {
        var child = firstChild(index)
        for element in elements {
            guard let current = child else { return false }
            pairs.append((current, element))
            child = value(after(current))
        }
        return child == nil
    }

    private func appendMembers(
        of index: Int, _ members: [JSONValue.Member], _ run: JSONPathRun, to pairs: inout [(Int, JSONValue)]
    ) -> Bool {
        var names = Set<[UInt8]>()
        // The last value of a key that is there twice counts.
        for member in members.reversed() where names.insert(Array(member.key.utf8)).inserted {
            guard let child = self.member(JSONPathName(member.key), of: index, run) else { return false }
            pairs.append((child, member.value))
        }
        var child = firstChild(index)
        var found = Set<[UInt8]>()
        while let current = child {
            // More members than expected: the rest need not be read.
            guard names.contains(decodedKey(current)), found.count <= names.count else { return false }
            found.insert(decodedKey(current))
            child = value(after(current))
        }
        return found.count == names.count
    }

    /// Returns a value below 0, 0 or above 0 for two numbers or two strings; nil for anything else.
    package func order(_ node: JSONNode, _ value: JSONValue) -> Int? {
        guard contains(node) else { return nil }
        let run = JSONPathRun(document: self, root: node.index, time: nil)
        return JSONPathComparer(run: run).order(.node(node.index), JSONPathValue(scalar: value))
    }

    /// Returns the number of elements, members or characters; nil for other values.
    package func length(of node: JSONNode) -> Int? {
        switch kind(of: node) {
        case .array, .object: childCount(of: node)
        case .string: text(of: node).map { $0.string.unicodeScalars.count }
        case .number, .true, .false, .null: nil
        }
    }

    /// Returns true for a number whose exact value is whole, such as `1.0` and `1e2` (JSON Schema 2020-12, section 4.2.3).
    package func isInteger(_ node: JSONNode) -> Bool {
        kind(of: node) == .number && JSONNumberOrder.isInteger(bytes(in: range(of: node)))
    }
}

extension JSONPathValue {
    /// A container is nothing.
    fileprivate init(scalar value: JSONValue) {
        switch value {
        case .null: self = .literal(.null)
        case .bool(let isTrue): self = .literal(isTrue ? .true : .false)
        case .number(let digits): self = .number(JSONPathBytes(digits))
        case .string(let text): self = .string(JSONPathBytes(text))
        case .array, .object: self = .nothing
        }
    }
}
