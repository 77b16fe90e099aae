import Foundation

/// The schema of JUnit reports, as xmllint judges by it.
public enum JUnitSchema {
    public static let judge = ChildProgram.find("xmllint")

    private static let path = Compiler.root.appendingPathComponent("Tests/EndToEndTests/Peers/junit.xsd").path

    /// Returns what is wrong with a report; empty for nothing.
    public static func problems(in report: String) async throws -> String {
        try await problems(in: report, schema: path)
    }

    /// Returns the same of a report without what other readers know, by the rules of Ant alone.
    public static func problemsForAnt(in report: String) async throws -> String {
        let all = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let schema = all.filter { !$0.contains(" ref=\"") }.joined(separator: "\n")
        let folder = try TemporaryFolder(files: ["ant.xsd": Data(schema.utf8)])
        defer { folder.remove() }
        return try await problems(in: withoutAdditions(report), schema: folder.url.appending(path: "ant.xsd").path)
    }

    private static func problems(in report: String, schema: String) async throws -> String {
        guard let judge else { return "xmllint is not installed" }
        let output = try await ChildProgram.run(judge, ["--nonet", "--noout", "--schema", schema, "-"], input: report)
        return output.status == 0 ? "" : output.errors
    }

    private static func withoutAdditions(_ report: String) -> String {
        let additions = [
            #/ (?:file|line|assertions)="[^"]*"/#, #/<flakyFailure .*?<\/flakyFailure>/#,
            #/<flakyError .*?<\/flakyError>/#, #/<rerunFailure .*?<\/rerunFailure>/#,
            #/<rerunError .*?<\/rerunError>/#, #/<system-out>.*?<\/system-out>/#,
        ]
        let plain = additions.reduce(report) { text, addition in
            text.replacing(addition.dotMatchesNewlines().matchingSemantics(.unicodeScalar), with: "")
        }
        return plain.replacing(#/<testsuites [^>]*>/#, with: "<testsuites>")
    }
}
