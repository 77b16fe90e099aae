/// The unit tests of Insomnia, each a script that sends a request and judges its response.
enum InsomniaTest {
    private static let sending = " = await insomnia.send()"

    /// Returns what a test expects; nil for one that sends several requests or another one, and for one with a statement
    /// that is not known.
    static func script(of code: String) -> PostmanScript? {
        guard let range = code.firstRange(of: sending) else { return nil }
        let start = code[..<range.lowerBound].trimmed
        let words = start.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "const" || words[0] == "let" || words[0] == "var" else { return nil }
        let response = String(words[1])
        // Its parts are those of Postman under other names.
        let text = String(code[range.upperBound...].drop { $0 == ";" })
            .replacing("JSON.parse(\(response).data)", with: "pm.response.json()")
            .replacing("\(response).status", with: "pm.response.code")
        let rest = ScriptToken.tokens(of: text).filter { $0.kind == .word }.map(\.text)
        guard !rest.contains(response), !rest.contains("insomnia") else { return nil }
        var script = PostmanScript()
        script.read(text)
        return script.left.isEmpty && script.captures.isEmpty && script.expect.count > 0 ? script : nil
    }
}
