import Testing

@Suite struct PublicSymbolsTests {
    @Test(arguments: LibrarySymbols.modules) func `every public symbol says what it is`(module: String) throws {
        let declarations = try LibrarySymbols.declarations(of: module)
        #expect(!declarations.isEmpty)
        let core = module == "OmbiCore" ? [] : try LibrarySymbols.declarations(of: "OmbiCore")
        let undocumented = Declaration.undocumented(declarations, imported: core)
        #expect(
            undocumented.isEmpty,
            "without a /// above:\n\(undocumented.map(\.place).joined(separator: "\n"))")
    }

    @Test func `the scan finds what there is`() throws {
        let symbols = Set(try LibrarySymbols.declarations(of: "OmbiCore").map(\.symbol))
        for symbol in [
            "RequestManager", "RequestManager/makeRequest(_:authentication:retries:sla:on:fallbackResponse:)",
            "RequestManager/send(_:authentication:retry:sla:on:fallbackResponse:handler:onEvent:)",
            "Requestable/path", "RequestMembers/BodyValue", "RequestMembers/headers", "RequestError/timedOut(_:)",
            "RequestHeaders/Key/userAgent",
            "AttemptReport/Outcome/failed(_:_:)", "RequestHeaders/subscript(_:)",
            "RequestEvent/bodySent(attempt:bytes:expected:at:)",
            "Transport/start(_:onEvent:)", "RetryPolicy/Failure/connection",
        ] {
            #expect(symbols.contains(symbol), "\(symbol) is not among the \(symbols.count) symbols found")
        }
        #expect(!symbols.contains("Lock") && !symbols.contains("RequestManager/forget(_:)"))
    }

    @Test func `a symbol without words is found`() {
        let file = Repository.File(
            path: "A.swift",
            text: """
                /// A protocol.
                public protocol Shown {
                    /// With words.
                    var words: String { get }
                    var silent: String { get }
                }

                public struct A: Shown {
                    public var words: String { "a" }
                    public let other: Int
                    /// With words.
                    @discardableResult
                    public func told(_ a: Int, by b: [Int: String] = [:]) -> Int { switch a { case 1: 2; default: 3 } }
                    let hidden = 1
                }

                extension A: CustomStringConvertible {
                    public var description: String { "" }
                    public enum B {
                        case one, two
                        /// With words.
                        case three(Int, four: Int)
                    }
                }
                """)
        let all = Declaration.all(in: file)
        #expect(
            Declaration.undocumented(all).map(\.symbol) == [
                "Shown/silent", "A", "A/other", "A/B", "A/B/one", "A/B/two",
            ])
        #expect(all.map(\.symbol).contains("A/told(_:by:)") && all.map(\.symbol).contains("A/B/three(_:four:)"))
    }
}
