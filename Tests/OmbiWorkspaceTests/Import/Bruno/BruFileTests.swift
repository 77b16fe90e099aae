import Testing

@testable import OmbiWorkspace

/// The language of `.bru` files.
@Suite struct BruFileTests {
    private func file(_ text: String) throws -> BruFile { try BruFile(Array(text.utf8)) }

    @Test func `a block of pairs has names, values and what is disabled`() throws {
        let file = try file(
            """
            headers {
              a: b: c
              ~off: 1
              "with: \\"colon\\"": 2
              ~"off, too": 3
              @local: 4
              empty:
            }
            """)
        let pairs = try #require(file["headers"]).pairs
        #expect(pairs.map(\.name) == ["a", "off", #"with: "colon""#, "off, too", "local", "empty"])
        #expect(pairs.map(\.value) == ["b: c", "1", "2", "3", "4", ""])
        #expect(pairs.map(\.isEnabled) == [true, false, true, false, true, true])
        #expect(pairs[0].offset == 12)
    }

    @Test func `a text may go over lines, and annotations stand above a pair`() throws {
        let file = try file(
            """
            vars {
              @description('''
                one
                }
              ''')
              @number
              size: 3
              text: \'\'\'
                a

                  b
              \'\'\' @contentType(text/css)
              line: \'\'\'c\'\'\'
            }
            """)
        let pairs = try #require(file["vars"]).pairs
        #expect(pairs.map(\.name) == ["size", "text", "line"])
        #expect(pairs.map(\.value) == ["3", "a\n\n  b", "c"])
        #expect(pairs[0].description == "one\n}" && pairs[1].description.isEmpty)
        #expect(pairs[1].trailer == "@contentType(text/css)")
    }

    @Test func `lists and texts keep what is in them`() throws {
        let file = try file(
            """
            meta {
              tags: [
                a
                b,
              ]
            }
            vars:secret [
              one,
              @number
              ~two
            ]
            body:json {
              {
                "a": [1]
              }
            }
            auth {}
            """)
        #expect(file["meta"]?.pairs.first?.words == ["a", "b"])
        #expect(file["vars:secret"]?.pairs.map(\.name) == ["one", "two"])
        #expect(file["vars:secret"]?.pairs.map(\.isEnabled) == [true, false])
        #expect(file["body:json"]?.text == "{\n  \"a\": [1]\n}")
        #expect(file["auth"]?.pairs.isEmpty == true)
    }

    @Test func `lines may end as on Windows`() throws {
        let file = try file("get {\r\n  url: x\r\n}\r\n")
        #expect(file["get"]?.pairs.first?.value == "x")
    }

    @Test(arguments: [
        ("get {\n  url: x\n", 0, "not closed"), ("get {\n  url\n}\n", 8, "a colon"), ("hello\n", 0, "a block"),
        ("get {\n  a: '''\n    b\n}\n", 0, "not closed"), ("\nget {\n  a: [\n    b\n}\n", 9, "list is not closed"),
        ("get {\n}\n}\n", 8, "a block"),
    ])
    func `an error has a place and a reason`(text: String, offset: Int, reason: String) {
        do throws(BruFile.Failure) {
            _ = try BruFile(Array(text.utf8))
            Issue.record("it was read")
        } catch {
            #expect(error.offset == offset && error.reason.contains(reason), "\(error)")
        }
    }

    @Test func `a text is recognized by its first line`() {
        #expect(BruFile.isLikely(Array("\n\nmeta {\n}\n".utf8)) && BruFile.isLikely(Array("vars:secret [\n".utf8)))
        for text in ["", "GET https://a.test", "{ \"a\": 1 }", "function {", "a: 1"] {
            #expect(!BruFile.isLikely(Array(text.utf8)), "\(text)")
        }
        #expect(BruFile.isVersion1(Array("name A\nmethod GET\ntype http-request\n".utf8)))
        #expect(BruFile.isVersion1(Array("vars\n  1 a b\n/vars\n".utf8)))
        #expect(!BruFile.isVersion1(Array("meta {\n  type: http-request\n}\n".utf8)))
    }

    @Test func `any cut of a file is read or has an error with a place`() {
        let bytes = Array("meta {\n  a: '''\n  b\n  ''' x\n}\nvars:secret [\n  @a('''\n  ''')\n  c\n]\n".utf8)
        for count in bytes.indices {
            do throws(BruFile.Failure) { _ = try BruFile(Array(bytes.prefix(count))) } catch {
                #expect((0...count).contains(error.offset) && !error.reason.isEmpty)
            }
        }
    }
}
