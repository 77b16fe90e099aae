import OmbiDocument
import Testing

struct FormAndEventTests {
    @Test(arguments: [
        ("a=b&c=d+e", [["a", "b"], ["c", "d e"]]), ("q=%C3%A9%2B%zz&&x", [["q", "é+%zz"], ["x", ""]]),
        ("a==b&=c", [["a", "=b"], ["", "c"]]), ("%", [["%", ""]]), ("", []),
    ])
    func `form fields are decoded`(text: String, expected: [[String]]) {
        let bytes = Bytes(text.utf8)
        var index = FormIndex()
        index.extend(over: bytes)
        let fields = index.fields
        #expect(fields.map { [FormField.text($0.name, in: bytes), FormField.text($0.value, in: bytes)] } == expected)
    }

    private static let stream =
        ": hello\n\nevent: add\r\nid: 7\r\ndata: one\r\ndata:two\r\n\r\nretry: 500\rdata\r\rfoo: bar\ndata: cut"

    @Test func `events end at empty lines`() {
        let bytes = Bytes(Self.stream.utf8)
        var index = EventIndex()
        for end in 0..<bytes.count { index.extend(over: bytes[0..<end], isComplete: false) }
        index.extend(over: bytes, isComplete: true)
        let events = index.events.map { ServerEvent(in: bytes, $0) }
        #expect(events.count == 3)
        #expect(events.first?.comments == ["hello"])
        #expect(events[1].type == "add")
        #expect(events[1].id == "7")
        #expect(events[1].data == "one\ntwo")
        #expect(events[2].retry == 500)
        #expect(events[2].type == "message")
        let rest = index.unfinished(in: bytes).map { ServerEvent(in: bytes, $0) }
        #expect(rest?.data == "cut")
        #expect(rest?.unknown == ["foo: bar"])
    }

    @Test func `damaged streams are read`() {
        for version in Damage.versions(of: Array(Self.stream.utf8)) {
            let bytes = Bytes(version)
            var index = EventIndex()
            index.extend(over: bytes, isComplete: true)
            let isOrdered = zip(index.events, index.events.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
            #expect(isOrdered)
            for range in index.events { _ = ServerEvent(in: bytes, range) }
        }
    }
}

@Test func `a form that arrives in pieces has the same fields`() {
    func fields(_ bytes: Bytes) -> [FormField] {
        var index = FormIndex()
        index.extend(over: bytes)
        return index.fields
    }
    let bytes = Bytes("&a=1&&b&=c=d&long=xxxxxxxx%20=&e".utf8)
    for size in 1...bytes.count {
        var index = FormIndex()
        for end in stride(from: size, to: bytes.count, by: size) {
            index.extend(over: bytes[0..<end])
            #expect(index.fields == fields(bytes[0..<end]), "\(end) bytes in pieces of \(size)")
        }
        index.extend(over: bytes)
        #expect(index.fields == fields(bytes))
    }
}

@Test func `events are kept up to a limit`() {
    var index = EventIndex(limits: IndexLimits(memory: 160))
    index.extend(over: Bytes(String(repeating: "x\n\n", count: 100).utf8), isComplete: true)
    #expect(index.events.count == 11 && index.limit == .memory(160))
}
