import Testing

/// Messages of the screen are sentences. One that begins with a name or a key keeps it as it is.
@Test func `a message on the screen begins with a capital`() throws {
    let files = try SourceFile.all(below: "Sources").filter {
        $0.path.hasPrefix("Sources/OmbiTUI/") || $0.path.hasPrefix("Sources/OmbiViewer/")
    }
    let found = files.flatMap { file in lowercaseMessages(in: file.text).map { "\(file.path): \($0)" } }
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
}

@Test func `a message that begins small is found`() {
    #expect(lowercaseMessages(in: #".notify(.info, "nothing to save")"#) == ["nothing to save"])
    #expect(lowercaseMessages(in: "Notice(\n    .failure, \"not \\(done): x\")") == [#"not \(done): x"#])
    let good = [
        #"Notice(.info, "Saved")"#, #".notify(.info, "r renames it")"#, #".notify(.failure, "curl, \(error)")"#,
    ]
    #expect(good.flatMap { lowercaseMessages(in: $0) } == [])
}

private func lowercaseMessages(in text: String) -> [String] {
    text.matches(of: /(?:notify|Notice)\(\s*\.\w+,\s*"([a-z][a-z]+(?:[^"\\\n]|\\.)*)/).map { String($0.1) }.filter {
        // The name of a program.
        !$0.hasPrefix("curl,")
    }
}
