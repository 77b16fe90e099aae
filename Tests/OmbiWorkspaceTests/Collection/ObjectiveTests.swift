import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The share of runs that is to succeed.
@Suite struct ObjectiveTests {
    private static let text = """
        {
          "version": 1, "name": "c", "objective": { "success": "99%", "window": "30d" },
          "environments": [
            { "name": "local", "host": "http://api.test", "objective": { "within": "2s" } }
          ],
          "items": [
            {
              "folder": "f", "objective": { "success": "99.9%", "future": 1 },
              "items": [{ "request": "r", "path": "/p", "objective": { "within": "500ms" } }]
            }
          ]
        }
        """

    @Test func `each level sets a part, and the nearest one counts`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "f").collection)
        guard case .request(let request)? = collection.item(atPath: ["f", "r"]) else {
            Issue.record("no request")
            return
        }
        let inheritance = Inheritance(
            collection, folders: collection.folders(of: request.id), environment: collection.environments.first)
        let objective = inheritance.objective(of: request)
        #expect(objective.text == "99.9% within 500ms over 30d" && objective.share == 99.9 / 100)
        #expect(inheritance.objective.within == .seconds(2))
    }

    @Test func `a file keeps what it says, unknown keys too`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "f").collection)
        let again = try #require(CollectionFile.read(Array(collection.text.utf8), file: "f").collection)
        #expect(again.text == collection.text && collection.text.contains("\"future\": 1"))
        #expect(collection.text.contains("\"success\": \"99.9%\"") && collection.text.contains("\"window\": \"30d\""))
    }

    @Test(arguments: ["0%", "100%", "99.5", "-1%", "0x5%", "nan%", "%", "1e1%"])
    func `a share that leaves no budget, or is none, is refused with its place`(share: String) {
        let text = "{ \"version\": 1, \"name\": \"c\", \"objective\": { \"success\": \"\(share)\" }, \"items\": [] }"
        let file = CollectionFile.read(Array(text.utf8), file: "f")
        #expect(file.collection == nil)
        #expect(file.problems.contains { "\($0)".contains("1:") && "\($0)".contains("99.5%") }, "\(file.problems)")
        #expect(throws: FieldError.self) { try Objective(share) }
    }

    @Test(arguments: [("objective", "success", "99.5%"), ("policy", "retryBudget", "20%")])
    func `a share that is a number is answered with the form of one, not with quotes`(
        key: String, member: String, example: String
    ) {
        let text = "{ \"version\": 1, \"name\": \"c\", \"\(key)\": { \"\(member)\": 0.995 }, \"items\": [] }"
        let problems = CollectionFile.read(Array(text.utf8), file: "f").problems.map { "\($0)" }
        #expect(problems.contains { $0.contains("found a number; write a percentage") && $0.contains(example) })
        #expect(!problems.contains { $0.contains("\"0.995\"") }, "\(problems)")
    }

    @Test(arguments: ["", "99.5%", "within 500ms", "99.5% within 500ms over 7d", "over 12h"])
    func `a line of text is read as it is written`(text: String) throws {
        #expect(try Objective(text).text == text)
        var objective: Objective? = Objective(success: 50)
        try Objective.write(text, to: &objective)
        #expect(objective?.text ?? "" == text)
    }
}
