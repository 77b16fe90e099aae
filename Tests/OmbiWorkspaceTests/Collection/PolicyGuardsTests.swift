import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The budget of retries and the breaker of a policy: in files, as lines of text, and for the engine.
@Suite struct PolicyGuardsTests {
    private static let text = """
        {
          "version": 1, "name": "c", "policy": { "retryBudget": "20%", "breaker": { "failures": 7, "future": 1 } },
          "environments": [
            { "name": "local", "host": "http://api.test", "policy": { "breaker": { "failures": 3, "pause": "1s" } } }
          ],
          "items": [
            {
              "folder": "f", "policy": { "retryBudget": "2.5%" },
              "items": [{ "request": "r", "path": "/p", "policy": { "retries": 1 } }]
            }
          ]
        }
        """

    private static func collection(_ policy: String) -> (collection: Collection?, problems: [Problem]) {
        let text = "{\"version\": 1, \"name\": \"c\", \"items\": [],\n\"policy\": {\(policy)}}"
        let file = CollectionFile.read(Array(text.utf8), file: "f")
        return (file.collection, file.problems)
    }

    @Test func `each of them is inherited by itself, and the nearest one counts`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "f").collection)
        guard case .request(let request)? = collection.item(atPath: ["f", "r"]) else {
            Issue.record("no request")
            return
        }
        let inheritance = Inheritance(
            collection, folders: collection.folders(of: request.id), environment: collection.environments.first)
        let policy = try #require(request.policy).merging(over: inheritance.policy)
        #expect(policy.retryBudget == RetryBudget(share: 0.025) && policy.retries == 1)
        #expect(policy.breaker == CircuitBreaker(failures: 3, pause: .seconds(1)))
        #expect(collection.policy?.breaker == CircuitBreaker(failures: 7))
    }

    @Test func `a file keeps what it says, unknown keys too`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "f").collection)
        let again = try #require(CollectionFile.read(Array(collection.text.utf8), file: "f").collection)
        #expect(again.text == collection.text && collection.text.contains("\"future\": 1"))
        #expect(collection.text.contains("\"retryBudget\": \"2.5%\"") && collection.text.contains("\"pause\": \"1s\""))
        #expect(!collection.text.contains("\"within\""))
    }

    @Test(arguments: [
        (
            "\"retryBudget\": \"20\"",
            "\"retryBudget\": \"20\" is no share of retries; write a percentage above 0 and at most 100, such as \"20%\""
        ),
        (
            "\"retryBudget\": 0.2",
            "\"retryBudget\": expected a string, found a number; write a percentage above 0 and at most 100, such as \"20%\""
        ),
        ("\"breaker\": {}", "missing key \"failures\""),
        ("\"breaker\": true", "\"breaker\": expected an object, found true"),
        (
            "\"breaker\": {\"failures\": 0}",
            "\"failures\": expected a whole number from 1 to 1000, found 0"
        ),
        (
            "\"breaker\": {\"failures\": 1, \"pause\": \"0s\"}",
            "\"pause\": the duration is zero; write for example \"250ms\", \"1.5s\", \"2m\" or \"1h\", at most 24h"
        ),
    ])
    func `a wrong value is refused with its place and what to write`(policy: String, message: String) {
        let (collection, problems) = Self.collection(policy)
        #expect(collection == nil)
        #expect(problems.contains { "\($0)".contains("2:") && "\($0)".hasSuffix(message) }, "\(problems)")
    }

    @Test func `a key with a slip is pointed out`() {
        let problems = Self.collection("\"breaker\": {\"failures\": 1, \"pauses\": \"1s\"}").problems
        #expect(problems.contains { "\($0)".contains("did you mean \"pause\"?") }, "\(problems)")
    }

    @Test(arguments: ["0%", "101%", "20", "%", "-1%", "nan%", "1e1%", "2 0%"])
    func `what is no share of retries is refused`(text: String) {
        #expect(RequestPolicy.parsedBudget(text) == nil)
    }

    @Test(arguments: [
        "0%", "0.0%", "00%", "0.1%", ".5%", ".%", "5.%", "007%", "99.9%", "100%", "100.0%", "100.1%", "101%", "1000%",
        "5", "%",
    ])
    func `the schema accepts the shares that are read`(text: String) throws {
        func accepted(_ pattern: String) throws -> Bool {
            let regex = try Regex(pattern)
            return text.contains(regex)
        }
        #expect(try accepted(PercentText.pattern()) == (PercentText.parse(text) != nil))
        let isObjective = (try? Objective(text)) != nil
        #expect(try accepted(PercentText.pattern(isBelow100: true)) == isObjective)
    }

    @Test(arguments: ["20%", "2.5%", "100%", "7%", "0.1%", "33.3%"])
    func `a budget is written as it is read`(text: String) throws {
        #expect(RequestPolicy.budgetText(try #require(RequestPolicy.parsedBudget(text))) == text)
    }

    @Test func `a breaker is read from a line, whose times may be left out`() throws {
        #expect(try RequestPolicy.parsedBreaker("") == nil)
        #expect(try RequestPolicy.parsedBreaker("5") == CircuitBreaker())
        let breaker = CircuitBreaker(failures: 2, within: .seconds(60), pause: .milliseconds(500))
        #expect(try RequestPolicy.parsedBreaker("2 pause 500ms within 1m") == breaker)
        #expect(RequestPolicy.breakerText(breaker) == "2 within 1m pause 500ms")
        for text in ["0", "many", "5 within", "5 within 0s", "5 for 3s", "5 pause soon"] {
            #expect(throws: FieldError.self, "\(text)") { try RequestPolicy.parsedBreaker(text) }
        }
    }

    @Test func `the engine does not count a status that the request expects`() {
        var policy = RequestPolicy(retries: 1, retryBudget: RetryBudget(share: 0.2), breaker: CircuitBreaker())
        let engine = policy.retryPolicy(expecting: [.code(503), .hundreds(2)])
        #expect(engine.retryBudget == RetryBudget(share: 0.2))
        #expect(engine.breaker?.isFailure(503) == false && engine.breaker?.isFailure(500) == true)
        #expect(engine.breaker?.isFailure(404) == false)
        policy.breaker = nil
        #expect(policy.retryPolicy(expecting: [.code(503)]).breaker == nil)
    }
}
