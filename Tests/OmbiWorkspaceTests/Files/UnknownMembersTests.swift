import OmbiDocument
import Testing

@testable import OmbiWorkspace

@Suite struct UnknownMembersTests {
    /// The sample with an unknown member in front of, behind or between the members of every object that has known ones.
    @Test(arguments: [0, 1, 2, 3])
    func `unknown keys stay where they were`(place: Int) throws {
        let value = Self.planting(at: place, in: try JSONValue.parse(everything), path: [])
        let text = value.text
        #expect(text.contains("x-ombi"))
        let (collection, problems) = CollectionFile.read(Array(text.utf8), file: "f")
        #expect(problems == [])
        #expect(try #require(collection).text == text)
    }

    /// Objects whose keys are data of the user hold no unknown keys.
    private static let maps: Set<String> = ["variables", "secrets", "pathParameters", "capture", "json"]

    private static func planting(at place: Int, in value: JSONValue, path: [String]) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { planting(at: place, in: $0, path: path) })
        case .object(var members):
            if path.last == "json" { return value }
            members = members.map { .init($0.key, planting(at: place, in: $0.value, path: path + [$0.key])) }
            guard !maps.contains(path.last ?? ""), path.suffix(2) != ["expect", "headers"] else {
                return .object(members)
            }
            members.insert(.init("x-ombi", .object([.init("a", .array([.null]))])), at: min(place, members.count))
            if place == 3 { members.append(.init("x-other", .number("1.0"))) }
            return .object(members)
        default: return value
        }
    }

    @Test func `an unknown key behind one that is left out keeps its place among its like`() throws {
        let text = """
            { "version": 1, "name": "n", "items": [ { "request": "r", "path": "/", "method": "GET", "headers": [
            { "a": 1, "name": "x", "b": 2, "value": "y", "c": 3, "enabled": true, "d": 4, "e": 5 } ] } ] }
            """
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
        let expected = #"[{ "a": 1, "name": "x", "b": 2, "value": "y", "c": 3, "d": 4, "e": 5 }]"#
        let field = try #require(collection.requests.first?.headers.first)
        #expect(JSONValue.array([field.json]).text == "[\n  " + expected.dropFirst().dropLast() + "\n]\n")
        let again = CollectionFile.read(Array(collection.text.utf8), file: "f").collection
        #expect(again?.text == collection.text)
    }

    @Test func `an unknown key survives an edit of its neighbours`() throws {
        let text = everything.replacing("\"method\": \"GET\",", with: "\"method\": \"GET\", \"x-note\": \"kept\",")
        var collection = try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
        let id = try #require(collection.requests.first?.id)
        collection.update(id) { $0.method = .delete }
        collection.rename(id, "renamed")
        let written = collection.text
        #expect(written.contains("\"method\": \"DELETE\",\n          \"x-note\": \"kept\",\n"))
    }
}
