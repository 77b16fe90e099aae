import Testing

@testable import OmbiWorkspace

@Suite struct EnvFileTests {
    private static func read(_ text: String) throws -> [String] {
        try EnvFile(Array(text.utf8)).entries.map { "\($0.name)=\($0.value.debugDescription)" }
    }

    @Test(arguments: [
        ("A=1", [#"A="1""#]),
        ("\u{FEFF}A=1\r\nexport B = two words  \r\n", [#"A="1""#, #"B="two words""#]),
        ("# comment\n\n  A=1 # why\nB=#none\nC=a#b\n", [#"A="1""#, #"B="""#, #"C="a#b""#]),
        (#"A="a\nb\t\"c\" \\ \$d \x""#, [#"A="a\nb\t\"c\" \\ $d \\x""#]),
        (#"A='a\n "b"' # c"#, [#"A="a\\n \"b\"""#]),
        ("A=\"one\r\ntwo\"\nB='x\ny'", [#"A="one\ntwo""#, #"B="x\ny""#]),
        ("A=1\nB=2\nA=3", [#"B="2""#, #"A="3""#]),
        ("export=x\nA.b-c_1=\"\"", [#"export="x""#, #"A.b-c_1="""#]),
        ("URL=https://h/?a=b&c=d", [#"URL="https://h/?a=b&c=d""#]), ("", []), ("\r\r\n\n", []),
    ])
    func `names and values as other tools read them`(_ text: String, _ expected: [String]) throws {
        #expect(try Self.read(text) == expected)
    }

    @Test(arguments: [
        ("A=1\nhush", 2, 5, "there is no = after the name; write NAME=VALUE"),
        ("A=1\n  1A=hush", 2, 3, "a name does not begin with a digit"),
        ("=hush", 1, 1, "a name has letters, digits, _, - and ."),
        ("A=1\r\nB=  \"hush", 2, 5, "the quote is not closed"),
        ("A='hush' hush", 1, 9, "there is text behind the quote; put all of the value in quotes"),
        ("ü=hush", 1, 1, "a name has letters, digits, _, - and ."),
    ])
    func `an error has a place, and quotes no value`(_ text: String, _ line: Int, _ column: Int, _ message: String) {
        #expect(throws: EnvFile.Failure(line: line, column: column, message: message)) { try Self.read(text) }
    }

    @Test func `bytes that are no text are an error`() {
        #expect(throws: EnvFile.Failure.self) { try EnvFile([0x41, 0x3D, 0xFF]) }
    }
}
