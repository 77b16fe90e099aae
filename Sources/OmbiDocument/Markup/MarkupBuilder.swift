/// Splits XML or HTML into rows in one pass, while it arrives. Errors do not stop it: malformed markup is taken as
/// text, or as closed; in XML the first error is reported.
///
/// Each step reads a tag or a line. A step that reaches the end of the received bytes changes nothing and is repeated
/// when more have arrived, so the rows do not depend on the division into chunks.
struct MarkupBuilder {
    let isHTML: Bool
    private(set) var nodes = MarkupNodes()
    private(set) var problem: MarkupProblem?
    private(set) var limit: IndexLimit?
    private let limits: IndexLimits
    private(set) var offset: Int
    private var bytes = Bytes.empty
    private var open: [OpenElement] = []
    private var content = Content.markup
    private var end = 0
    private var isWhole = false
    /// True when the current step reached the end of the received bytes.
    private var isCut = false
    /// The number of bytes to wait for before the step that reached the end is repeated.
    private var needed = 0

    private struct OpenElement {
        var node: Int
        var name: ByteRange
    }

    /// The context of the current offset.
    private enum Content {
        case markup
        case comment(start: Int)
        case characterData(start: Int)
        /// The content of an element in which tags do not count, up to its end tag.
        case raw(name: ByteRange)
    }

    /// Rows and offsets take 32 bits.
    private static let maximumBytes = Int(UInt32.max) - 1
    private static let shortStep = 4096
    /// The maximum length in bytes of an element with nothing but text that becomes one row.
    private static let maximumJoinedBytes = 160

    init(isHTML: Bool, start: Int = 0, limits: IndexLimits) {
        self.isHTML = isHTML
        self.limits = limits
        offset = start
    }

    /// Reads what has arrived since the last call.
    mutating func extend(over body: Bytes, isComplete: Bool, isCancelled: () -> Bool) {
        guard !isWhole, limit == nil else { return }
        bytes = body
        end = min(body.count, Self.maximumBytes)
        isWhole = isComplete || body.count > Self.maximumBytes
        guard isWhole || end >= needed else { return }
        var stop = offset
        while offset < end {
            limit = exceeded
            if limit != nil { return }
            if offset >= stop {
                if isCancelled() { return isWhole = false }
                stop = offset + 1 << 20
            }
            if !stepWhole() {
                // A very long step waits for twice as much, so that it is not read over and over.
                let length = end - offset
                needed = length > Self.shortStep ? end + min(length, 1 << 30) : 0
                return
            }
        }
        if isWhole { finish() }
    }

    private var exceeded: IndexLimit? {
        if open.count > limits.depth { return .depth(limits.depth) }
        return nodes.count > limits.memory / MemoryLayout<MarkupNode>.stride ? .memory(limits.memory) : nil
    }

    // MARK: Steps

    /// Returns false when the step reached the end of the received bytes; nothing has changed then.
    private mutating func stepWhole() -> Bool {
        let before = problem
        isCut = false
        step()
        if isCut { problem = before }
        return !isCut
    }

    private mutating func step() {
        switch content {
        case .markup: markup()
        case .comment(let start): inside(.comment, from: max(offset, start + 4), until: "-->")
        case .characterData(let start): inside(.raw, from: max(offset, start + 9), until: "]]>")
        case .raw(let name): raw(until: name)
        }
    }

    /// Returns the end of the received bytes for a search that reaches it; more bytes may repeat the step.
    private mutating func cut() -> Int {
        if !isWhole { isCut = true }
        return end
    }

    private mutating func complain(_ offset: Int, _ reason: String) {
        if complains { problem = MarkupProblem(offset: offset, reason: reason) }
    }

    private var complains: Bool { problem == nil && !isHTML }

    private func name(_ range: ByteRange) -> String {
        bytes.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 64))
    }

    private mutating func finish() {
        switch content {
        case .comment(let start): complain(start, "<!-- without -->")
        case .characterData(let start): complain(start, "<![CDATA[ without ]]>")
        case .markup, .raw: break
        }
        if let last = open.last { complain(last.name.lowerBound - 1, "<\(name(last.name))> is never closed") }
        while let element = open.popLast() { close(element) }
        if nodes.isEmpty { complain(offset, "there is no element") }
    }

    // MARK: Text

    /// Reads a line of text, or the tag that begins here.
    private mutating func markup() {
        while offset < end, Self.isBlank(bytes.base[offset]) { offset += 1 }
        guard offset < end else { return }
        if isTag(offset) { return tag() }
        if isCut { return }
        var position = offset
        while let found = ByteScan.first(UInt8(ascii: "<"), or: 0x0A, or: 0x0D, in: bytes, position..<end) {
            guard bytes.base[found] == UInt8(ascii: "<") else { return addText(upTo: found) }
            if isTag(found) { return addText(upTo: found) }
            complain(found, "'<' in text must be written &lt;")
            position = found + 1
        }
        addText(upTo: cut())
    }

    private mutating func addText(upTo stop: Int) {
        guard !isCut else { return }
        if !isHTML, open.isEmpty, !isMark(offset) { complain(offset, "text outside of the root element") }
        addLine(.text, upTo: stop)
    }

    private func isMark(_ offset: Int) -> Bool { offset == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// Returns true if a '<' at `position` begins a tag, a comment or a declaration.
    private mutating func isTag(_ position: Int) -> Bool {
        guard bytes.base[position] == UInt8(ascii: "<") else { return false }
        if position + 1 >= end { _ = cut() }
        let next = bytes[position + 1]
        return Self.isNameStart(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
            || next == UInt8(ascii: "?")
    }

    static func isNameStart(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F || byte == 0x3A || byte >= 0x80
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

    /// Reads a line of a comment or of character data, up to the mark that ends it.
    private mutating func inside(_ kind: MarkupNode.Kind, from start: Int, until mark: StaticString) {
        let lineEnd = ByteScan.first(0x0A, or: 0x0D, in: bytes, start..<end)
        if let stop = self.end(of: mark, in: start..<(lineEnd ?? end)) {
            addLine(kind, upTo: stop)
            content = .markup
        } else {
            let stop = lineEnd.map { $0 + 1 } ?? cut()
            if !isCut { addLine(kind, upTo: stop) }
        }
    }

    /// Returns the offset after the first occurrence of a text.
    private func end(of text: StaticString, in range: ByteRange) -> Int? {
        let length = text.utf8CodeUnitCount
        var position = range.lowerBound
        while let found = ByteScan.first(text.utf8Start[0], in: bytes, position..<range.upperBound) {
            if found + length <= range.upperBound,
                (1..<length).allSatisfy({ bytes.base[found + $0] == text.utf8Start[$0] })
            {
                return found + length
            }
            position = found + 1
        }
        return nil
    }

    /// Reads a line of a script or a style, up to the end tag.
    private mutating func raw(until name: ByteRange) {
        let lineEnd = ByteScan.first(0x0A, or: 0x0D, in: bytes, offset..<end)
        var position = offset
        while let found = ByteScan.first(UInt8(ascii: "<"), in: bytes, position..<(lineEnd ?? end)) {
            let isEnd = endsElement(name, at: found)
            if isCut { return }
            if isEnd {
                addLine(.raw, upTo: found)
                return content = .markup
            }
            position = found + 1
        }
        let stop = lineEnd.map { $0 + 1 } ?? cut()
        if !isCut { addLine(.raw, upTo: stop) }
    }

    /// Returns true if the end tag of a name begins at a '<'.
    private mutating func endsElement(_ name: ByteRange, at position: Int) -> Bool {
        if position + 1 >= end { _ = cut() }
        guard bytes[position + 1] == UInt8(ascii: "/") else { return false }
        return isSame(name, position + 2..<nameEnd(position + 2))
    }

    // MARK: Rows

    /// Adds a row without the white space around it; no row for white space alone.
    private mutating func addLine(_ kind: MarkupNode.Kind, upTo stop: Int) {
        var (first, last) = (offset, stop)
        while first < last, Self.isBlank(bytes.base[first]) { first += 1 }
        while last > first, Self.isBlank(bytes.base[last - 1]) { last -= 1 }
        if first < last { add(kind, first..<last) }
        offset = stop
    }

    /// - Parameter parent: The element that contains the row, or that the row ends; the innermost one by default.
    private mutating func add(_ kind: MarkupNode.Kind, _ range: ByteRange, in parent: OpenElement? = nil) {
        let parent = (parent ?? open.last).map { UInt32(truncatingIfNeeded: $0.node) }
        let number = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(
            MarkupNode(
                offset: UInt32(truncatingIfNeeded: range.lowerBound), length: UInt32(truncatingIfNeeded: range.count),
                end: kind == .open ? MarkupNode.notEnded : number, parentRow: parent ?? MarkupNode.noParent,
                depthBits: UInt16(clamping: open.count), kind: kind))
        offset = max(offset, range.upperBound)
    }

    private mutating func close(_ element: OpenElement) {
        let last = max(element.node, nodes.count - 1)
        nodes[element.node].end = UInt32(truncatingIfNeeded: last)
        if last == element.node { nodes[element.node].kind = .element }
    }

    // MARK: Tags

    private mutating func tag() {
        switch bytes[offset + 1] {
        case UInt8(ascii: "/"): closeTag()
        case UInt8(ascii: "!"): exclamation()
        case UInt8(ascii: "?"):
            let stop = self.end(of: isHTML ? ">" : "?>", in: offset..<end)
            if stop == nil { complain(offset, "<? without ?>") }
            let range = offset..<(stop ?? cut())
            if !isCut { add(.declaration, range) }
        default: openTag()
        }
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "<")
    }

    private mutating func nameEnd(_ start: Int) -> Int {
        var position = min(start, end)
        while position < end {
            if Self.endsName(bytes.base[position]) { return position }
            position += 1
        }
        return cut()
    }

    private mutating func exclamation() {
        let start = offset
        if bytes.starts(with: Self.commentStart, at: start) { return content = .comment(start: start) }
        if bytes.starts(with: Self.characterDataStart, at: start) { return content = .characterData(start: start) }
        if start + Self.characterDataStart.count > end { _ = cut() }
        let stop = declarationEnd(start)
        if !isCut { add(.declaration, start..<stop) }
    }

    private static let commentStart = Array("<!--".utf8)
    private static let characterDataStart = Array("<![CDATA[".utf8)

    /// Returns the end of `<!DOCTYPE …>`, which may hold brackets and quotes.
    private mutating func declarationEnd(_ start: Int) -> Int {
        var position = start
        var isBracketed = false
        while position < end {
            switch bytes.base[position] {
            case UInt8(ascii: "["): isBracketed = true
            case UInt8(ascii: "]"): isBracketed = false
            case UInt8(ascii: ">") where !isBracketed: return position + 1
            default: break
            }
            position += 1
        }
        complain(start, "<! without >")
        return cut()
    }

    private mutating func openTag() {
        let start = offset
        let name = start + 1..<nameEnd(start + 1)
        let (stop, isClosed) = tagEnd(from: name.upperBound, start)
        let rule = isHTML ? HTMLRule.of(HTMLName(name, in: bytes)) : nil
        let isRaw = rule?.isRaw ?? false
        let joined = isClosed || rule?.isVoid ?? false ? stop : joinedEnd(name, start, stop, isRaw: isRaw)
        guard !isCut else { return }
        if let rule, !rule.ended.isEmpty { endOpen(rule.ended) }
        if let joined { return add(.element, start..<joined) }
        add(.open, start..<stop)
        open.append(OpenElement(node: nodes.count - 1, name: name))
        if isRaw { content = .raw(name: name) }
    }

    /// Returns the end of `<name>text</name>` if it is short and on one line: it becomes one row.
    private mutating func joinedEnd(_ name: ByteRange, _ start: Int, _ stop: Int, isRaw: Bool) -> Int? {
        let limit = start + Self.maximumJoinedBytes
        guard stop < limit, ByteScan.first(0x0A, or: 0x0D, in: bytes, start..<stop) == nil else { return nil }
        let last = min(end, limit)
        var position = stop
        while let found = ByteScan.first(UInt8(ascii: "<"), or: 0x0A, or: 0x0D, in: bytes, position..<last) {
            guard bytes.base[found] == UInt8(ascii: "<") else { return nil }
            if endsElement(name, at: found) {
                let isText = !isRaw || (stop..<found).allSatisfy { Self.isBlank(bytes.base[$0]) }
                position = found + 2 + name.count
                guard isText, position < last else { break }
                guard let close = ByteScan.first(UInt8(ascii: ">"), or: 0x0A, or: 0x0D, in: bytes, position..<last)
                else { break }
                return bytes.base[close] == UInt8(ascii: ">") ? close + 1 : nil
            }
            if isRaw || isTag(found) { return nil }
            complain(found, "'<' in text must be written &lt;")
            position = found + 1
        }
        if last < limit { _ = cut() }
        return nil
    }

    /// Returns the offset after the `>` of a tag; `isClosed` if a `/` precedes it.
    private mutating func tagEnd(from position: Int, _ start: Int) -> (Int, isClosed: Bool) {
        var position = position
        while let found = ByteScan.first(
            UInt8(ascii: ">"), or: UInt8(ascii: "="), or: UInt8(ascii: "<"), in: bytes, position..<end)
        {
            switch bytes.base[found] {
            case UInt8(ascii: ">"): return (found + 1, bytes[found - 1] == UInt8(ascii: "/"))
            case UInt8(ascii: "="): position = valueEnd(from: found + 1)
            default:
                complain(start, "this tag has no '>'")
                return (found, false)
            }
        }
        complain(start, "this tag has no '>'")
        return (cut(), false)
    }

    private mutating func valueEnd(from position: Int) -> Int {
        var start = position
        while start < end, Self.isBlank(bytes.base[start]) { start += 1 }
        guard start < end else { return cut() }
        let quote = bytes.base[start]
        guard quote == 0x22 || quote == 0x27 else {
            complain(start, "the value of an attribute must be in quotes")
            while start < end, !Self.isBlank(bytes.base[start]), bytes.base[start] != UInt8(ascii: ">") { start += 1 }
            return start
        }
        if let close = ByteScan.first(quote, in: bytes, start + 1..<end) { return close + 1 }
        _ = cut()
        complain(start, "this quote is never closed")
        return start + 1
    }

    private func isSame(_ left: ByteRange, _ right: ByteRange) -> Bool {
        guard left.count == right.count else { return false }
        let fold: UInt8 = isHTML ? 0x20 : 0
        for index in 0..<left.count
        where bytes.base[left.lowerBound + index] | fold != bytes.base[right.lowerBound + index] | fold { return false }
        return true
    }

    /// Ends the innermost elements while they have one of these names.
    private mutating func endOpen(_ names: [HTMLName]) {
        while let last = open.last, names.contains(HTMLName(last.name, in: bytes)) {
            open.removeLast()
            close(last)
        }
    }

    private mutating func closeTag() {
        let start = offset
        let name = start + 2..<nameEnd(start + 2)
        let found = ByteScan.first(UInt8(ascii: ">"), in: bytes, name.upperBound..<end)
        if found == nil { complain(start, "this tag has no '>'") }
        let stop = found.map { $0 + 1 } ?? cut()
        guard !isCut else { return }
        // Only the innermost elements: a badly nested page must not take quadratic time.
        guard let index = open.suffix(256).lastIndex(where: { isSame($0.name, name) }) else {
            if complains { complain(start, "</\(self.name(name))> closes nothing") }
            return add(.strayClose, start..<stop)
        }
        if index < open.count - 1, complains, let last = open.last {
            complain(start, "</\(self.name(name))> closes <\(self.name(last.name))>")
        }
        while open.count > index + 1 { close(open.removeLast()) }
        let element = open.removeLast()
        add(.close, start..<stop, in: element)
        close(element)
    }
}
