import Testing

@Test(arguments: FolderRule.all) func `folders use each other's types one way only`(rule: FolderRule) throws {
    let found = rule.violations(in: try SourceFile.all(below: "Sources"))
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
}

@Test func `every target has its rule`() throws {
    let targets = try SourceFile.all(below: "Sources").map { $0.path.split(separator: "/")[1] }
    #expect(Set(targets) == Set(FolderRule.all.map { Substring($0.target) }))
}

@Suite struct FolderRuleTests {
    private static func file(_ path: String, _ text: String) -> SourceFile {
        SourceFile(path: "Sources/Some/\(path)", text: text)
    }

    private static let low = file("Low/A.swift", "package struct Base {}\nprivate enum Kind {}\n")
    private static let high = file("High/B.swift", "final class Top { let base: Base? = nil }\nenum Kind {}\n")

    private func found(_ files: SourceFile..., known: Set<String> = []) -> [String] {
        FolderRule(target: "Some", known: known).violations(in: [Self.low, Self.high] + files)
    }

    @Test func `one way is fine, and so are own types, comments, strings and other targets`() {
        let text = "/// Under Top.\nlet a = \"Top\" + #\"\\(Top)\"# + \"\"\"\n\"Top\" Top\n\"\"\"  /* Top */\n"
        #expect(found(Self.file("Low/C.swift", text)).isEmpty)
        #expect(found(SourceFile(path: "Sources/Other/Low/C.swift", text: "let top: Top? = nil")).isEmpty)
    }

    @Test(arguments: ["let top: Top? = nil", "extension Top {}", "let text = \"a \\(b(Top.name)) c\""])
    func `two folders that use each other are found`(text: String) {
        #expect(
            found(Self.file("Low/C.swift", text)) == [
                "Some: High uses Base of Low, and that Top of High", "Some: High, Low use each other in a circle",
            ])
    }

    @Test func `a circle of three folders is found`() {
        let middle = Self.file("Middle/C.swift", "struct Waist { var top: Top }")
        let back = Self.file("Low/D.swift", "extension Waist {}")
        #expect(found(middle, back) == ["Some: High, Low, Middle use each other in a circle"])
    }

    @Test func `a known pair is let pass, and must be struck when it is gone`() {
        #expect(found(Self.file("Low/C.swift", "extension Top {}"), known: ["High, Low"]).isEmpty)
        #expect(found(known: ["High, Low"]) == ["Some: High, Low use each other no longer: strike it"])
    }
}
