/// Cuts XML or HTML into rows in one pass. Nothing stops it: what is wrong is taken as text, or as ended; in XML the
/// first such place is told.
struct MarkupBuilder {
    let bytes: Bytes
    let isHTML: Bool
    private(set) var nodes: [MarkupNode] = []
    private(set) var problem: MarkupProblem?
    private(set) var offset: Int
    private var open: [OpenElement] = []
    private let end: Int

    private struct OpenElement {
        var node: Int
        var name: ByteRange
    }

    /// Rows are counted, and places kept, in 32 bits.
    private static let mostBytes = Int(UInt32.max) - 1
    /// An element with nothing but a text is one row up to so many bytes.
    private static let mostJoined = 160

    init(bytes: Bytes, isHTML: Bool, start: Int) {
        self.bytes = bytes
        self.isHTML = isHTML
        offset = start
        end = min(bytes.count, Self.mostBytes)
        nodes.reserveCapacity(min(1 << 20, bytes.count / 64))
    }

    private mutating func complain(_ offset: Int, _ reason: String) {
        if problem == nil, !isHTML { problem = MarkupProblem(offset: offset, reason: reason) }
    }

    private var complains: Bool { problem == nil && !isHTML }

    private func name(_ range: ByteRange) -> String {
        bytes.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 64))
    }

    /// Goes on until an offset is reached. False at the end of the text.
    mutating func run(until stop: Int) -> Bool {
        while offset < min(stop, end) { step() }
        return offset < end
    }

    mutating func finish() {
        if let last = open.last { complain(last.name.lowerBound - 1, "<\(name(last.name))> is never closed") }
        while let element = open.popLast() { close(element, at: nodes.count - 1) }
        if nodes.isEmpty { complain(offset, "there is no element") }
    }

    private mutating func step() {
        let tag = nextTag()
        if tag > offset { addLines(.text, offset..<tag) }
        offset = tag
        guard tag < end else { return }
        switch bytes[tag + 1] {
        case UInt8(ascii: "/"): closeTag()
        case UInt8(ascii: "!"): exclamation()
        case UInt8(ascii: "?"): add(.declaration, tag..<endOf(isHTML ? ">" : "?>", from: tag, "<?"))
        default: openTag()
        }
    }

    /// The next '<' that begins a tag or its like.
    private mutating func nextTag() -> Int {
        var start = offset
        while let found = ByteScan.first(UInt8(ascii: "<"), in: bytes, start..<end) {
            let next = bytes[found + 1]
            if Self.isNameStart(next) || "/!?".utf8.contains(next) { return found }
            complain(found, "'<' in text must be written &lt;")
            start = found + 1
        }
        return end
    }

    static func isNameStart(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F || byte == 0x3A || byte >= 0x80
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

    private static func endsName(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }

    private func nameEnd(_ start: Int) -> Int {
        var offset = start
        while offset < end, !Self.endsName(bytes.base[offset]), bytes.base[offset] != UInt8(ascii: "<") { offset += 1 }
        return offset
    }

    private mutating func add(_ kind: MarkupNode.Kind, _ range: ByteRange) {
        let number = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(
            MarkupNode(
                offset: UInt32(truncatingIfNeeded: range.lowerBound), length: UInt32(truncatingIfNeeded: range.count),
                end: number, depthBits: UInt16(clamping: open.count), kind: kind))
        offset = max(offset, range.upperBound)
    }

    /// A row for each line that is not blank; without the blanks around it.
    private mutating func addLines(_ kind: MarkupNode.Kind, _ range: ByteRange) {
        var start = range.lowerBound
        while start < range.upperBound {
            while start < range.upperBound, Self.isBlank(bytes.base[start]) { start += 1 }
            guard start < range.upperBound else { break }
            let next = ByteScan.first(0x0A, or: 0x0D, in: bytes, start..<range.upperBound) ?? range.upperBound
            var last = next
            while last > start, Self.isBlank(bytes.base[last - 1]) { last -= 1 }
            if kind == .text, !isHTML, open.isEmpty, !isMark(start) {
                complain(start, "text outside of the root element")
            }
            add(kind, start..<last)
            start = next
        }
        offset = max(offset, range.upperBound)
    }

    private func isMark(_ offset: Int) -> Bool { offset == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// Behind the next occurrence of a text, or the end.
    private mutating func endOf(_ text: StaticString, from start: Int, _ what: String) -> Int {
        let length = text.utf8CodeUnitCount
        var place = start
        while let found = ByteScan.first(text.utf8Start[0], in: bytes, place..<end) {
            if (1..<length).allSatisfy({ bytes[found + $0] == text.utf8Start[$0] }), found + length <= end {
                return found + length
            }
            place = found + 1
        }
        complain(start, "\(what) without \(text)")
        return end
    }

    private mutating func exclamation() {
        let start = offset
        if bytes.starts(with: Array("<!--".utf8), at: start) {
            let stop = endOf("-->", from: min(end, start + 4), "<!--")
            return addLines(.comment, start..<stop)
        }
        if bytes.starts(with: Array("<![CDATA[".utf8), at: start) {
            return addLines(.raw, start..<endOf("]]>", from: start, "<![CDATA["))
        }
        add(.declaration, start..<declarationEnd(start))
    }

    /// The end of `<!DOCTYPE …>`, which may hold brackets and quotes.
    private mutating func declarationEnd(_ start: Int) -> Int {
        var place = start
        var isBracketed = false
        while place < end {
            switch bytes.base[place] {
            case UInt8(ascii: "["): isBracketed = true
            case UInt8(ascii: "]"): isBracketed = false
            case UInt8(ascii: ">") where !isBracketed: return place + 1
            default: break
            }
            place += 1
        }
        complain(start, "<! without >")
        return end
    }

    private mutating func openTag() {
        let start = offset
        let name = start + 1..<nameEnd(start + 1)
        let (stop, isClosed) = tagEnd(from: name.upperBound, start)
        if isHTML { endImplied(by: HTMLName(name, in: bytes)) }
        if isClosed || isHTML && HTMLRules.void.contains(HTMLName(name, in: bytes)) {
            return add(.element, start..<stop)
        }
        add(.open, start..<stop)
        open.append(OpenElement(node: nodes.count - 1, name: name))
        if isHTML, HTMLRules.raw.contains(HTMLName(name, in: bytes)) { rawContent(name) }
    }

    /// Behind the `>` of a tag, and whether there was a `/` before it.
    private mutating func tagEnd(from place: Int, _ start: Int) -> (Int, isClosed: Bool) {
        var place = place
        while let found = ByteScan.first(
            UInt8(ascii: ">"), or: UInt8(ascii: "="), or: UInt8(ascii: "<"), in: bytes, place..<end)
        {
            switch bytes.base[found] {
            case UInt8(ascii: ">"): return (found + 1, bytes[found - 1] == UInt8(ascii: "/"))
            case UInt8(ascii: "="): place = valueEnd(from: found + 1)
            default:
                complain(start, "this tag has no '>'")
                return (found, false)
            }
        }
        complain(start, "this tag has no '>'")
        return (end, false)
    }

    private mutating func valueEnd(from place: Int) -> Int {
        var start = place
        while start < end, Self.isBlank(bytes.base[start]) { start += 1 }
        let quote = bytes[start]
        guard quote == 0x22 || quote == 0x27 else {
            complain(start, "the value of an attribute must be in quotes")
            while start < end, !Self.isBlank(bytes.base[start]), bytes.base[start] != UInt8(ascii: ">") { start += 1 }
            return start
        }
        if let close = ByteScan.first(quote, in: bytes, start + 1..<end) { return close + 1 }
        complain(start, "this quote is never closed")
        return start + 1
    }

    /// Scripts and styles, up to their end tag.
    private mutating func rawContent(_ name: ByteRange) {
        var place = offset
        while let found = ByteScan.first(UInt8(ascii: "<"), in: bytes, place..<end) {
            if bytes[found + 1] == UInt8(ascii: "/"), isSame(name, found + 2..<nameEnd(found + 2)) {
                return addLines(.raw, offset..<found)
            }
            place = found + 1
        }
        addLines(.raw, offset..<end)
    }

    private func isSame(_ left: ByteRange, _ right: ByteRange) -> Bool {
        guard left.count == right.count else { return false }
        let fold: UInt8 = isHTML ? 0x20 : 0
        for index in 0..<left.count
        where bytes.base[left.lowerBound + index] | fold != bytes.base[right.lowerBound + index] | fold { return false }
        return true
    }

    private mutating func endImplied(by name: HTMLName) {
        let ended = HTMLRules.ended(by: name)
        guard !ended.isEmpty else { return }
        while let last = open.last, ended.contains(HTMLName(last.name, in: bytes)) {
            open.removeLast()
            close(last, at: nodes.count - 1)
        }
    }

    private mutating func closeTag() {
        let start = offset
        let name = start + 2..<nameEnd(min(end, start + 2))
        let found = ByteScan.first(UInt8(ascii: ">"), in: bytes, name.upperBound..<end)
        if found == nil { complain(start, "this tag has no '>'") }
        let stop = found.map { $0 + 1 } ?? end
        // A look at the innermost ones only: a page with wrong nesting must not cost the square of its size.
        guard let index = open.suffix(256).lastIndex(where: { isSame($0.name, name) }) else {
            if complains { complain(start, "</\(self.name(name))> closes nothing") }
            return add(.strayClose, start..<stop)
        }
        if index < open.count - 1, complains, let last = open.last {
            complain(start, "</\(self.name(name))> closes <\(self.name(last.name))>")
        }
        while open.count > index + 1 { close(open.removeLast(), at: nodes.count - 1) }
        let element = open.removeLast()
        if join(element, with: stop) { return }
        add(.close, start..<stop)
        close(element, at: nodes.count - 1)
    }

    private mutating func close(_ element: OpenElement, at last: Int) {
        nodes[element.node].end = UInt32(truncatingIfNeeded: max(element.node, last))
        if last <= element.node { nodes[element.node].kind = .element }
    }

    /// `<name>text</name>` becomes one row.
    private mutating func join(_ element: OpenElement, with stop: Int) -> Bool {
        let inside = nodes.count - 1 - element.node
        let range = nodes[element.node].range.lowerBound..<stop
        guard inside == 0 || inside == 1 && nodes[element.node + 1].kind == .text, range.count <= Self.mostJoined,
            ByteScan.first(0x0A, or: 0x0D, in: bytes, range) == nil
        else { return false }
        nodes.removeLast(inside)
        nodes[element.node].kind = .element
        nodes[element.node].length = UInt32(truncatingIfNeeded: range.count)
        offset = stop
        return true
    }
}
