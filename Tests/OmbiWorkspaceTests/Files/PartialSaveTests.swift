import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Saving a file that somebody formatted by hand.
@Suite struct PartialSaveTests {
    /// Odd indentation, keys in another order, inline objects, unknown keys, defaults that are written out, no newline
    /// at the end.
    private static let formatted = """
        { "version" : 1, "items" :
        [
            {"path":"/a",   "request": "a", "headers": [], "x-owner": {"team" :"blue"},
                "query": [ {"name":"q" , "value":"\\u00fc", "enabled": true} ]
            }
            ,
            {   "folder": "f",
                "items": [
                      { "request":"b", "path":"/b", "method": "POST",
                        "body": { "json": {"n": 1.50, "big":12345678901234567890,  "n": 2 , "s":"a\\/b"} },
                        "policy": {"sla": "1000ms"} },

                      { "request":"c", "path":"/c" }
                ]
            }
        ],
            "name": "by hand",   "description": "",
            "variables": [ {"name": "v", "value": "1"} ]
        }
        """

    /// The text after a save of what `edit` does to the collection in `text`.
    private func saved(_ text: String, _ edit: (inout Collection) throws -> Void) throws -> String {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", text)
        let loaded = CollectionFile.load(file)
        var collection = try #require(loaded.collection)
        try edit(&collection)
        _ = try CollectionFile.save(collection, to: file, expecting: loaded.fingerprint)
        return folder.text("a.json") ?? ""
    }

    private func request(_ name: String, _ collection: Collection) throws -> ItemID {
        try #require(collection.requests.first { $0.name == name }).id
    }

    @Test(arguments: ["\n", "\r\n"])
    func `a save without an edit leaves every byte alone`(lineBreak: String) throws {
        let text = Self.formatted.replacing("\n", with: lineBreak)
        #expect(try saved(text) { _ in } == text)
    }

    @Test(arguments: ["\n", "\r\n"])
    func `an edit of one field changes that field alone`(lineBreak: String) throws {
        let text = Self.formatted.replacing("\n", with: lineBreak)
        func check(_ old: String, _ new: String, _ edit: (inout Collection) throws -> Void) throws {
            #expect(text.contains(old))
            #expect(try saved(text, edit) == text.replacing(old, with: new))
        }
        try check("\"path\":\"/b\"", "\"path\":\"/b/2\"") { collection in
            collection.update(try request("b", collection)) { $0.path = "/b/2" }
        }
        try check("\"request\": \"a\"", "\"request\": \"z\"") { collection in
            collection.rename(try request("a", collection), "z")
        }
        try check("\"enabled\": true", "\"enabled\": false") { collection in
            collection.update(try request("a", collection)) { $0.query[0].enabled = false }
        }
        try check("\"1000ms\"", "\"2s\"") { collection in
            collection.update(try request("b", collection)) { $0.policy?.sla = .seconds(2) }
        }
        try check("\"by hand\"", "\"by Ombi\"") { $0.name = "by Ombi" }
    }

    /// An expectation in a file, the field or the row of it that is edited, its new text, and the expectation after it.
    static let expectations = [
        (#"{"status": 200}"#, "status", "201", #"{"status": 201}"#),
        (#"{"status": "200"}"#, "status", "201", #"{"status": "201"}"#),
        (#"{"status": 200}"#, "status", "2xx", #"{"status": "2xx"}"#),
        (#"{"status": 200}"#, "status", "200, 404, 5xx", #"{"status": [200, 404, "5xx"]}"#),
        (#"{"status": "200"}"#, "status", "200, 404", #"{"status": ["200", "404"]}"#),
        (#"{"status": [200, 404]}"#, "status", "200, 500", #"{"status": [200, 500]}"#),
        (#"{"status": [200, 404]}"#, "status", "200, 404, 500", #"{"status": [200, 404, 500]}"#),
        (#"{"status": ["2xx", 404]}"#, "status", "2xx, 410", #"{"status": ["2xx", 410]}"#),
        (#"{"status": ["200", "404"]}"#, "status", "200, 500", #"{"status": ["200", "500"]}"#),
        (#"{"status": [200, 404]}"#, "status", "201", #"{"status": 201}"#),
        (#"{"status": [200]}"#, "status", "201", #"{"status": [201]}"#),
        (#"{"status": [ "2xx" ]}"#, "status", "2xx 404", #"{"status": [ "2xx", "404" ]}"#),
        (#"{"size": 5}"#, "size in bytes", "6", #"{"size": 6}"#),
        (#"{"size": "5"}"#, "size in bytes", "6", #"{"size": "6"}"#),
        (#"{"size": 5}"#, "size in bytes", "< 6", #"{"size": "<6"}"#),
        (#"{"certificateDays": 14}"#, "certificate days", "15", #"{"certificateDays": 15}"#),
        (#"{"body": [{"path":"$.a", "count": "3"}]}"#, "", "count 4", #"{"body": [{"path":"$.a", "count": "4"}]}"#),
        (#"{"body": [{"path":"$.a", "count": 3}]}"#, "", "count 4", #"{"body": [{"path":"$.a", "count": 4}]}"#),
        (#"{"body": [{"path":"$.a", "equals": 3}]}"#, "", "= 4", #"{"body": [{"path":"$.a", "equals": 4}]}"#),
        (#"{"body": [{"path":"$.a", "equals":"3"}]}"#, "", #"= "4""#, #"{"body": [{"path":"$.a", "equals":"4"}]}"#),
        (#"{"body": [{"path":"$.a", "equals":true}]}"#, "", "= null", #"{"body": [{"path":"$.a", "equals":null}]}"#),
        (
            #"{"body": [{"path":"$.a", "type": ["string"]}]}"#, "", "type integer",
            #"{"body": [{"path":"$.a", "type": ["integer"]}]}"#
        ),
        (
            #"{"body": [{"path":"$.a", "atLeast": 1.50, "atMost": 2}]}"#, "", "<= 3; >= 1.50",
            #"{"body": [{"path":"$.a", "atLeast": 1.50, "atMost": 3}]}"#
        ),
    ]

    @Test(arguments: expectations)
    func `an expected value that is edited keeps its form in the file`(
        old: String, label: String, edit: String, new: String
    ) throws {
        func text(_ expect: String) -> String {
            "{\n" + #""version": 1, "name": "n", "items": [ { "request": "r", "path": "/",  "expect": \#(expect) } ] }"#
        }
        let result = try saved(text(old)) { collection in
            let request = try #require(collection.requests.first)
            var expect = try #require(request.expect)
            if let field = OmbiWorkspace.Expectation.fields.first(where: { $0.label == label }) {
                try field.write(&expect, edit)
            } else {
                expect.bodyRows[0].value = edit
            }
            collection.update(request.id) { $0.expect = expect }
        }
        #expect(result == text(new))
    }

    @Test func `a member that was left out is added beside the others`() throws {
        let text = try saved(Self.formatted) { collection in
            collection.update(try request("c", collection)) { $0.method = .delete }
        }
        let expected = Self.formatted.replacing(
            #"{ "request":"c", "path":"/c" }"#, with: #"{ "request":"c", "method":"DELETE", "path":"/c" }"#)
        #expect(text == expected)
    }

    @Test func `a new request takes lines of its own`() throws {
        let text = try saved(Self.formatted) { collection in
            collection.insert(.request(SavedRequest(name: "d", path: "/d")), .after(try request("c", collection)))
        }
        let new = ",\n\n              { \"request\": \"d\", \"method\": \"GET\", \"path\": \"/d\" }"
        #expect(text == Self.formatted.replacing(#""path":"/c" }"#, with: #""path":"/c" }"# + new))
    }

    @Test func `a request that was moved here from another file gets no method if it had none`() throws {
        let other = Array(#"{"version": 1, "name": "a", "items": [{"request": "x", "path": "/x"}]}"#.utf8)
        let source = try #require(CollectionFile.read(other, file: "a.json").collection)
        let moved = try #require(source.requests.first)
        let text = try saved(Self.formatted) { collection in
            collection.insert(.request(moved), .after(try request("c", collection)))
        }
        let new = ",\n\n              { \"request\": \"x\", \"path\": \"/x\" }"
        #expect(text == Self.formatted.replacing(#""path":"/c" }"#, with: #""path":"/c" }"# + new))
        var changed = moved
        changed.method = .post
        #expect(changed != moved && changed.json["method"]?.stringValue == "POST")
        changed.method = .get
        #expect(changed == moved && changed.json["method"]?.stringValue == nil)
        #expect(SavedRequest(name: "x", path: "/x").json["method"]?.stringValue == "GET")
    }

    @Test func `an environment on one line keeps it with a secret that fits, and takes lines of its own with another`()
        throws
    {
        func text(_ local: String, _ live: String) -> String {
            """
            {
              "version": 1,
              "name": "shop",
              "environments": [
                \(local),
                \(live)
              ],
              "items": []
            }

            """
        }
        let live = #""name": "live", "host": "https://api.example.com/shop/v2", "protected": true"#
        let old = text(#"{ "name": "local", "host": "http://localhost" }"#, "{ \(live) }")
        let new = try saved(old) { collection in
            for index in collection.environments.indices {
                collection.environments[index].secrets = [Secret("token", .environment("TOKEN"))]
            }
        }
        let lines = live.replacing(", ", with: ",\n      ")
        #expect(
            new
                == text(
                    #"{ "name": "local", "host": "http://localhost", "secrets": { "token": { "env": "TOKEN" } } }"#,
                    "{\n      \(lines),\n      \"secrets\": {\n        \"token\": { \"env\": \"TOKEN\" }\n      }\n    }"
                ))
    }

    @Test func `a deleted request takes its lines away`() throws {
        let text = try saved(Self.formatted) { $0.remove(try request("c", $0)) }
        #expect(text == Self.formatted.replacing(",\n\n              { \"request\":\"c\", \"path\":\"/c\" }", with: ""))
    }

    @Test func `requests that change places keep their text`() throws {
        let text = try saved(Self.formatted) { collection in
            let moved = try #require(collection.item(try request("c", collection)))
            collection.put([moved], .before(try request("b", collection)))
        }
        let start = try #require(Self.formatted.range(of: "{ \"request\":\"b\"")).lowerBound
        let end = try #require(Self.formatted.range(of: "\"1000ms\"} }")).upperBound
        let (b, c) = (String(Self.formatted[start..<end]), "{ \"request\":\"c\", \"path\":\"/c\" }")
        #expect(text == Self.formatted.replacing(c, with: "?").replacing(b, with: c).replacing("?", with: b))
    }

    @Test func `a request that moves to another folder keeps its text, indented as its new neighbours`() throws {
        let text = """
            {
              "version": 1, "name": "n",
              "items": [
                { "folder": "f", "items": [
                    {"request":"a",
                      "path":"/a", "method": "GET"},
                    {"request":"b", "path":"/b"}
                  ] },
                {"request":"c", "path":"/c"}
              ]
            }
            """
        let moved = try saved(text) { collection in
            let item = try #require(collection.remove(try request("a", collection)))
            collection.insert(item, .root)
        }
        #expect(
            moved == """
                {
                  "version": 1, "name": "n",
                  "items": [
                    { "folder": "f", "items": [
                        {"request":"b", "path":"/b"}
                      ] },
                    {"request":"c", "path":"/c"},
                    {"request":"a",
                      "path":"/a", "method": "GET"}
                  ]
                }
                """)
    }

    // MARK: What was there before

    @Test func `a file that was removed is written as it was, with what was edited since`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", Self.formatted)
        let loaded = CollectionFile.load(file)
        var collection = try #require(loaded.collection)
        collection.name = "by Ombi"
        try FileManager.default.removeItem(atPath: file)
        _ = try CollectionFile.save(collection, to: file, expecting: loaded.fingerprint.removed)
        #expect(folder.text("a.json") == Self.formatted.replacing("\"by hand\"", with: "\"by Ombi\""))
    }

    /// The text after a save without an item, and after one of the collection as it was before.
    private func restored(_ text: String, without name: String) throws -> String {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", text)
        let loaded = CollectionFile.load(file)
        let collection = try #require(loaded.collection)
        var smaller = collection
        let item = collection.requests.first { $0.name == name }?.id ?? collection.items.first { $0.name == name }?.id
        smaller.remove([try #require(item)])
        let saved = try CollectionFile.save(smaller, to: file, expecting: loaded.fingerprint)
        #expect(folder.text("a.json")?.contains("\"\(name)\"") == false)
        _ = try CollectionFile.save(collection, to: file, expecting: saved.recalling(loaded.fingerprint.text))
        return folder.text("a.json") ?? ""
    }

    @Test(arguments: ["one", "two", "three"], ["\n", "\r\n"])
    func `a request that comes back after a save has its text again`(name: String, lineBreak: String) throws {
        let text = """
            { "version": 1,   "name": "n",
              "items": [
                  { "request": "one",   "path": "/1" },
                  { "request": "two",   "path": "/2",
                         "headers": [ { "name": "A",  "value": "b" } ] },
                  { "request": "three",  "path": "/3" }
              ]
            }
            """.replacing("\n", with: lineBreak)
        #expect(try restored(text, without: name) == text)
    }

    @Test func `the only request comes back with the array around it, and a folder with all in it`() throws {
        let text = "{ \"version\": 1, \"name\": \"n\",\n  \"items\": [ {\"request\":\"one\" , \"path\":\"/1\"} ] }"
        #expect(try restored(text, without: "one") == text)
        let folder = try #require(Self.formatted.range(of: "{   \"folder\"")?.lowerBound)
        let end = try #require(Self.formatted.range(of: "\n],")?.lowerBound)
        #expect(try restored(Self.formatted, without: "f").contains(Self.formatted[folder..<end]))
    }

    @Test func `random edits of a file save what was edited, and nothing else of it is lost`() throws {
        var random = SeededRandom(seed: 3)
        for text in [Self.formatted, everything, everything.replacing("\n", with: "\r\n")] {
            for _ in 0..<60 {
                let bytes = Array(text.utf8)
                var collection = try #require(CollectionFile.read(bytes, file: "f").collection)
                for _ in 0..<3 { collection.edit(&random) }
                let saved = CollectionText.edited(collection, over: Fingerprint(bytes: bytes))
                #expect(CollectionFile.read(saved, file: "f").collection?.text == collection.text)
            }
        }
    }

    @Test func `a canonical file stays canonical through edits`() throws {
        var random = SeededRandom(seed: 5)
        var collection = try #require(CollectionFile.read(Array(everything.utf8), file: "f").collection)
        var bytes = Array(everything.utf8)
        for _ in 0..<100 {
            collection.edit(&random)
            bytes = CollectionText.edited(collection, over: Fingerprint(bytes: bytes))
            #expect(CollectionFile.read(bytes, file: "f").collection?.text == collection.text)
        }
    }
}

extension Collection {
    /// One edit, as somebody at the keyboard would make it.
    fileprivate mutating func edit(_ random: inout SeededRandom) {
        guard let request = requests.randomElement(using: &random) else { return }
        let number = Int.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0...8, using: &random) {
        case 0: rename(request.id, "request \(number)")
        case 1: duplicate(request.id)
        case 2: if requests.count > 2 { remove(request.id) }
        case 3: moveAmongSiblings(request.id, &random)
        case 4: update(request.id) { $0.headers.append(Field("X-\(number)", "1")) }
        case 5: update(request.id) { $0.method = RequestMethod.allCases[number % 7] }
        case 6: update(request.id) { $0.body = .json(JSONContent(.object([.init("n", .number(number))]))) }
        case 7: variables.append(Field("v\(number)", "x", enabled: number.isMultiple(of: 3)))
        default: update(request.id) { $0.path += "/\(number)" }
        }
    }
}
