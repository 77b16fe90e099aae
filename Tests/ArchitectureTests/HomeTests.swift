import Testing

@Test(arguments: HomeRule.all) func `what has one home is done there only`(rule: HomeRule) throws {
    let found = try SourceFile.all(below: "Sources").flatMap(rule.violations)
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
}

@Test func `a second home is found, and comments, strings and longer names are none`() {
    let text = """
        /// Not dlopen.
        let name = "dlopen", isMutexed = false
        let other = dlopen(name, 0)
        let pattern = try Regex(name)
        """
    let file = SourceFile(path: "Sources/OmbiWorkspace/A.swift", text: text)
    let found = HomeRule.all.flatMap { $0.violations(in: file) }.map { text in String(text.prefix { $0 != "," }) }
    #expect(
        found == [
            "Sources/OmbiWorkspace/A.swift:3: uses dlopen: SharedLibrary loads all libraries",
            "Sources/OmbiWorkspace/A.swift:4: uses Regex: OmbiDocument/Find has the one engine of patterns",
        ])
}

@Test func `a home may use what is its own`() {
    let file = SourceFile(path: "Sources/OmbiBase/SharedLibrary.swift", text: "let handle = dlopen(nil, 0)")
    #expect(HomeRule.all.allSatisfy { $0.violations(in: file).isEmpty })
}
