import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Dumps of all data of Postman.
@Suite struct PostmanDumpTests {
    private static let first = """
        {"id": "c1", "name": "Old", "order": ["r1"], "folders_order": ["f1"],
         "folders": [{"id": "f1", "name": "users", "order": ["r2"]}],
         "requests": [
          {"id": "r1", "name": "home", "url": "{{base}}/", "method": "GET", "headers": "X-A: 1\\nX-B: 2\\n"},
          {"id": "r2", "name": "create", "url": "{{base}}/users", "method": "POST", "dataMode": "urlencoded",
           "data": [{"key": "a", "value": "1"}, {"key": "b", "value": "2", "enabled": false}],
           "tests": "tests[\\"ok\\"] = responseCode.code === 201;", "currentHelper": "hawkAuth"},
          {"id": "r3", "name": "raw", "url": "{{base}}/raw", "method": "PUT", "dataMode": "raw", "rawModeData": "[1]",
           "headerData": [{"key": "Content-Type", "value": "application/json"}]}]}
        """

    private static func dump(_ collections: String, _ more: String = "") -> String {
        "{\"version\": 1, \"collections\": [\(collections)]\(more)}"
    }

    @Test func `collections of format 1 in it are read`() throws {
        let (imported, notes) = try PostmanSample.imported(Self.dump(Self.first))
        let collection = imported.collection
        #expect(collection.name == "Old" && collection.items.map(\.name) == ["users", "home", "raw"])
        let requests = collection.requests
        #expect(requests[0].body == .form(FormContent([Field("a", "1"), Field("b", "2", enabled: false)])))
        #expect(requests[0].expect?.status == [StatusPattern("201")].compactMap { $0 })
        #expect(requests[1].headers == [Field("X-A", "1"), Field("X-B", "2")])
        #expect(requests[2].body == .json(JSONContent(.array([.number("1")]))))
        #expect(notes.lose("hawkAuth"))
    }

    @Test func `several collections are folders, with the environments and the globals`() throws {
        let second = PostmanSample.collection(PostmanSample.request(#""url": "{{base}}/x""#))
        let more = """
            , "environments": [{"name": "Stage", "values": [{"key": "base", "value": "https://a.test"},
              {"key": "pin", "value": "hunter2hunter2", "type": "secret"}]}],
            "globals": [{"key": "color", "value": "blue"}], "headerPresets": [{"id": "h"}]
            """
        let (imported, notes) = try PostmanSample.imported(Self.dump("\(Self.first), \(second)", more))
        #expect(imported.collection.items.map(\.name) == ["Old", "Shop"])
        #expect(imported.requestCount == 4 && imported.folderCount == 3)
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(imported.collection.variables.contains(Field("color", "blue")))
        #expect(imported.secrets.map(\.name) == ["pin"])
        #expect(!imported.written(keeping: .drop).text.contains("hunter2hunter2"))
        #expect(notes.lose("headerPresets"))
    }
}
