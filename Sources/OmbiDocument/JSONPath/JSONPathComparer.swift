/// Compares values by RFC 9535, section 2.3.5.2.2.
struct JSONPathComparer {
    let run: JSONPathRun
    private var document: JSONDocument { run.document }

    init(run: JSONPathRun) { self.run = run }

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
    /// The result of a counting function.
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
