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
