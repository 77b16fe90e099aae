import OmbiDocument
import Testing

struct TableIndexTests {
    private func rows(_ text: String, separator: Character = ",") -> [[String]] {
        let bytes = Bytes(text.utf8)
        let index = TableIndex(bytes, separator: separator.asciiValue ?? 0)
        return (0..<index.rowCount(in: bytes)).compactMap { index.range(of: $0, in: bytes) }.map { row in
            index.cells(of: row, in: bytes).map { $0.text(in: bytes) }
        }
    }

    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
        ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]),
        ("\"two\nlines\",x\ny,z", [["two\nlines", "x"], ["y", "z"]]),
        ("a,,\n", [["a", "", ""]]),
        ("5\" pipe,\"x\"\n1,2", [["5\" pipe", "x"], ["1", "2"]]),
        ("\"a\"b,c\n", [["ab", "c"]]),
        ("a\n\nb\n", [["a"], [], ["b"]]),
        ("\"open,\nx", [["open,\nx"]]),
        ("", []),
    ])
    func `rows and cells are found`(text: String, expected: [[String]]) {
        #expect(rows(text) == expected)
    }

    @Test func `other separators work the same`() {
        #expect(rows("a\tb\n1,5\t\"2\t3\"", separator: "\t") == [["a", "b"], ["1,5", "2\t3"]])
    }

    @Test func `a table that arrives in pieces has the same rows`() {
        let text = (0..<2000).map { "\($0),\"line \($0)\r\nand \"\"more\"\"\",x\r\n" }.joined()
        let bytes = Bytes(text.utf8)
        for size in [1009, 4096, 50_000] {
            var index = TableIndex(separator: 44)
            for end in stride(from: size, to: bytes.count, by: size) {
                index.extend(over: bytes[0..<end], isComplete: false)
            }
            index.extend(over: bytes, isComplete: true)
            #expect(index.rowCount(in: bytes) == 2000)
            for row in [0, 1, 999, 1999] {
                let range = index.range(of: row, in: bytes) ?? 0..<0
                #expect(bytes.text(range) == "\(row),\"line \(row)\r\nand \"\"more\"\"\",x")
                #expect(index.row(at: range.lowerBound, in: bytes) == row)
                #expect(index.row(at: range.upperBound - 1, in: bytes) == row)
            }
            #expect(index.range(of: 2000, in: bytes) == nil)
        }
    }

    @Test func `a quote that never ends is reported`() {
        let bytes = Bytes("a,b\n1,\"open\n2,3\n".utf8)
        #expect(TableIndex(bytes, separator: 44).openQuote(in: bytes) == 6)
        let closed = Bytes("\"a\"".utf8)
        #expect(TableIndex(closed, separator: 44).openQuote(in: closed) == nil)
    }

    @Test func `columns take their shape from the first rows`() {
        let bytes = Bytes("name,count,note\n東京,12,\nx,-3.5,\nlonger name,7\n".utf8)
        let index = TableIndex(bytes, separator: 44)
        let shape = TableShape(index, in: bytes)
        #expect(shape.columns.map(\.name) == ["name", "count", "note"])
        #expect(shape.columns.map(\.width) == [11, 5, 4])
        #expect(shape.columns.map(\.isNumeric) == [false, true, false])
        let last = index.range(of: 3, in: bytes).map { index.cells(of: $0, in: bytes) } ?? []
        #expect(shape.isRagged(last))
        #expect(TableShape(TableIndex(.empty, separator: 44), in: .empty).columns.isEmpty)
    }

    @Test func `rows far below count for the width`() {
        let bytes = Bytes(("id,name\n" + (0..<100_000).map { "\($0),n\n" }.joined()).utf8)
        let shape = TableShape(TableIndex(bytes, separator: 44), in: bytes)
        #expect(shape.columns.map(\.width) == [5, 4])
        #expect(shape.columns.map(\.isNumeric) == [true, false])
    }

    @Test(arguments: [
        ("id,name\n1,a\n", true), ("1,a\n2,b\n", false), ("name,2020,2021\nx,1,2\n", true), ("a,b\nc,d\n", true),
        ("a,-1\nb,2\n", false), ("a,b\n", false), ("", false), ("a,1\nb,c\n", true),
    ])
    func `a first row with amounts is no header`(text: String, hasHeader: Bool) {
        let bytes = Bytes(text.utf8)
        #expect(TableShape(TableIndex(bytes, separator: 44), in: bytes).hasHeader == hasHeader, "\(text)")
    }

    @Test func `damaged tables are shown as they are`() {
        for version in Damage.versions(of: Array("a,\"b\"\"\r\n\",c\r\n\"d\",,\n".utf8)) {
            let bytes = Bytes(version)
            let index = TableIndex(bytes, separator: 44)
            let ranges = (0..<index.rowCount(in: bytes)).compactMap { index.range(of: $0, in: bytes) }
            #expect(ranges.count == index.rowCount(in: bytes))
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            for range in ranges { _ = index.cells(of: range, in: bytes).map { $0.text(in: bytes) } }
        }
    }
}

extension TableIndexTests {
    @Test func `rows that are long are found by those behind them`() {
        let long = "2,\"" + String(repeating: "\"\"\n", count: 10_000) + "\""
        let open = "4,\"" + String(repeating: "x\n", count: 10_000)
        let texts = ["1,a", long, "3,b", open]
        let bytes = Bytes(texts.joined(separator: "\n").utf8)
        let index = TableIndex(bytes, separator: 44)
        #expect(index.rowCount(in: bytes) == 4)
        for (row, text) in texts.enumerated() {
            let range = index.range(of: row, in: bytes) ?? 0..<0
            #expect(bytes.text(range) == (row == 3 ? String(text.dropLast()) : text), "row \(row)")
            #expect(index.row(at: range.lowerBound, in: bytes) == row)
            #expect(index.row(at: range.upperBound - 1, in: bytes) == row)
        }
        #expect(index.openQuote(in: bytes) == bytes.count - open.utf8.count + 2)
    }

    @Test func `the end of a long row is known without reading it`() {
        let size = 32 << 20
        let bytes = Bytes(Array("a,\"".utf8) + [UInt8](repeating: 34, count: size) + Array("\"\nb,\"open".utf8))
        let index = TableIndex(bytes, separator: 44)
        for _ in 0..<1000 {
            #expect(index.range(of: 0, in: bytes) == 0..<size + 4, "reading it would take minutes")
            #expect(index.row(at: size, in: bytes) == 0)
        }
    }
}
