import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// What `ombi history compare` and `replay` say of two runs.
@Suite struct ComparisonReportTests {
    private static func comparison(_ old: String, _ new: String) -> RunComparison {
        let sides = [old, new].map { name in
            var side = RunComparison.Side(
                SessionResult(.response(TransportResponse(statusCode: 200, body: Data("{}".utf8)))),
                environment: "local")
            side.request = ItemPath(file: "shop.json", path: ["users", name])
            return side
        }
        return RunComparison(ItemPath(file: "shop.json", path: ["users", new]), from: sides[0], to: sides[1])
    }

    private static func head(_ comparison: RunComparison) -> String? {
        ComparisonReport.lines(comparison, isColored: false).first
    }

    @Test func `two runs of one request have one name`() {
        let comparison = Self.comparison("list", "list")
        #expect(Self.head(comparison)?.hasPrefix("✓ shop.json: users/list  200  ") ?? false)
        #expect(!ComparisonReport(comparisons: [comparison]).json.compact.contains("oldRequest"))
    }

    @Test func `runs of two requests have the names of both, the old one first`() {
        let comparison = Self.comparison("list", "all")
        #expect(Self.head(comparison)?.hasPrefix("✓ shop.json: users/list → shop.json: users/all  200  ") ?? false)
        let json = ComparisonReport(comparisons: [comparison]).json.compact.filter { !$0.isWhitespace }
        #expect(json.contains(#""oldRequest":{"file":"shop.json","path":["users","list"]}"#), "\(json)")
    }
}
