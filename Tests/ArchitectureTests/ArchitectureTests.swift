import Foundation
import Testing

@Test(arguments: ImportRule.all) func `modules are imported only where they belong`(rule: ImportRule) throws {
    let found = try SourceFile.all(below: "Sources").flatMap(rule.violations)
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
}

@Test func `the rules look at the real sources`() throws {
    let paths = try SourceFile.all(below: "Sources").map(\.path)
    let folders = [
        "OmbiPlatform", "OmbiBase", "OmbiCore", "OmbiURLSession", "OmbiAuthentication", "OmbiProcess",
        "OmbiWorkspace", "OmbiTerminal", "OmbiViewer", "OmbiTUI", "DemoAPI", "DemoServer",
    ]
    for folder in folders {
        #expect(paths.contains { $0.hasPrefix("Sources/\(folder)/") }, "there is no Swift file in Sources/\(folder)")
    }
}

@Test(arguments: [
    ("Sources/OmbiCore/Manager/A.swift", "internal import CCurl"),
    ("Sources/OmbiCore/Transport/A.swift", "import CCurl"),
    ("Sources/OmbiCore/Authentication/A.swift", "import Crypto"),
    ("Sources/OmbiAuthentication/Digest/A.swift", "internal import Crypto"),
    ("Sources/OmbiTUI/Effects/A.swift", "import OmbiAuthentication"),
    ("Sources/OmbiDocument/Binary/A.swift", "internal import CImages"),
    ("Sources/OmbiWorkspace/Import/OpenAPI/A.swift", "internal import CYAML"),
    ("Sources/OmbiTUI/Panes/A.swift", "@preconcurrency import CNcurses"),
    ("Sources/OmbiTUI/App/A.swift", "import FlyingFox"),
    ("Sources/OmbiWorkspace/A.swift", "import struct FlyingSocks.SocketError"),
    ("Sources/OmbiWorkspace/A.swift", "import ArgumentParser"),
    ("Sources/OmbiTUI/App/A.swift", "import DemoAPI"),
    ("Sources/OmbiCore/A.swift", "import OmbiWorkspace"), ("Sources/OmbiCore/A.swift", "import OmbiTUI"),
    ("Sources/OmbiWorkspace/A.swift", "@testable import OmbiTUI"),
    ("Sources/DemoAPI/A.swift", "import OmbiCore"),
    ("Sources/DemoAPI/A.swift", "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif"),
    ("Sources/OmbiTUI/Effects/A.swift", "import OmbiURLSession"), ("Sources/OmbiURLSession/A.swift", "import CCurl"),
    ("Sources/OmbiURLSession/A.swift", "import OmbiWorkspace"),
    ("Sources/OmbiCore/A.swift", "import FoundationNetworking"),
    ("Sources/OmbiCore/A.swift", "import Foundation"), ("Sources/OmbiTUI/A.swift", "    import Foundation"),
    ("Sources/OmbiCore/A.swift", "import class Foundation.Bundle"),
    ("Sources/OmbiCore/A.swift", "#if canImport(FoundationEssentials)\nimport Foundation\n#endif"),
    ("Sources/OmbiCore/A.swift", "#if canImport(FoundationEssentials)\n#else\n#endif\nimport Foundation"),
    ("Sources/OmbiTUI/App/AppState.swift", "import Dispatch"), ("Sources/OmbiTerminal/Drawing/A.swift", "import Glibc"),
    ("Sources/OmbiViewer/Viewer/A.swift", "import OmbiPlatform"),
    ("Sources/OmbiViewer/Rows/A.swift", "import OmbiCore"),
    ("Sources/OmbiViewer/Jobs/A.swift", "import OmbiWorkspace"),
    ("Sources/OmbiTerminal/Input/A.swift", "import OmbiCore"), ("Sources/OmbiProcess/A.swift", "import OmbiDocument"),
    ("Sources/OmbiBase/A.swift", "import OmbiCore"), ("Sources/OmbiBase/A.swift", "import Foundation"),
    ("Sources/OmbiTUI/Panes/A.swift", "import OmbiProcess"),
    ("Sources/OmbiTerminal/Terminal/A.swift", "import OmbiTUI"),
    ("Sources/OmbiDocument/A.swift", "import OmbiTerminal"),
])
func `a planted import is found`(path: String, text: String) {
    let file = SourceFile(path: path, text: text)
    #expect(ImportRule.all.contains { !$0.violations(in: file).isEmpty })
}

@Test(arguments: [
    ("Sources/OmbiCore/Transport/Curl/A.swift", "internal import CCurl"),
    ("Sources/OmbiAuthentication/Support/A.swift", "internal import Crypto"),
    ("Sources/OmbiDocument/Picture/A.swift", "internal import CImages"),
    ("Sources/OmbiWorkspace/Import/YAML/A.swift", "internal import CYAML"),
    ("Sources/OmbiURLSession/A.swift", "import Foundation\nimport FoundationNetworking\nimport OmbiCore"),
    ("Sources/OmbiTerminal/Terminal/A.swift", "@preconcurrency import CNcurses\nimport OmbiPlatform"),
    ("Sources/OmbiTUI/main.swift", "import ArgumentParser"),
    ("Sources/DemoAPI/A.swift", "import FlyingFox\nimport Foundation"),
    ("Sources/OmbiTUI/Effects/EffectRunner.swift", "import Dispatch\nimport OmbiPlatform"),
    (
        "Sources/OmbiCore/A.swift",
        "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif"
    ),
    ("Sources/OmbiCore/A.swift", "// import Foundation\nlet text = \"import Foundation\""),
    ("Sources/OmbiTUI/Panes/A.swift", "import OmbiCore\nimport OmbiWorkspace"),
])
func `an import that belongs there is not`(path: String, text: String) {
    let file = SourceFile(path: path, text: text)
    #expect(ImportRule.all.flatMap { $0.violations(in: file) }.isEmpty)
}

@Test func `no pane names another pane`() throws {
    let found = PaneRule.violations(in: try SourceFile.all(below: "Sources").filter { PaneRule.covers($0) })
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
}

@Test func `a pane that names another pane is found`() {
    let tree = SourceFile(path: "Sources/OmbiTUI/Panes/TreePane.swift", text: "struct TreePane {}")
    let response = SourceFile(
        path: "Sources/OmbiTUI/Panes/Response/ResponsePane.swift",
        text: "/// Beside TreePane.\nstruct ResponsePane {}\nlet neighbour: TreePane? = nil")
    let tab = SourceFile(
        path: "Sources/OmbiTUI/Panes/Response/BodyTab.swift", text: "struct BodyTab { var owner: ResponsePane }")
    #expect(
        PaneRule.violations(in: [tree, response, tab]) == [
            "Sources/OmbiTUI/Panes/Response/ResponsePane.swift:3: names TreePane, which is another pane's"
        ])
}

@Test func `what needs libcurl is left out where there is none`() throws {
    let found = try SourceFile.all(below: "Sources").filter(PortabilityRule.covers).flatMap(PortabilityRule.violations)
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
}

@Test func `what needs libcurl and does not say so is found`() {
    let file = SourceFile(
        path: "Sources/OmbiCore/Manager/A.swift",
        text: """
            /// Beside CurlTransport.
            #if canImport(CCurl)
            let one = CurlTransport()
            #else
            let two = CurlTransport()
            #endif
            let three: CurlTransport? = nil // CurlLoop
            let four = Curly(curl: 1)
            """)
    #expect(
        PortabilityRule.violations(in: file).map { $0.components(separatedBy: ":")[1] } == ["5", "7"])
}
