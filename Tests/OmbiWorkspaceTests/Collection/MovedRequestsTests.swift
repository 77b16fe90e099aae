import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Requests that were renamed or moved outside of Ombi.
@Suite struct MovedRequestsTests {
    private static func collection(_ requests: [(name: String, method: RequestMethod, path: String)]) -> Collection {
        Collection(
            name: "c", items: requests.map { .request(SavedRequest(name: $0.name, method: $0.method, path: $0.path)) })
    }

    private static func moves(_ old: Collection, _ new: Collection) -> [String] {
        new.movedRequests(since: old).map { "\($0.old.joined(separator: "/")) → \($0.new.joined(separator: "/"))" }
    }

    @Test func `a request with another name is recognised by method and URL`() {
        let old = Self.collection([("a", .get, "/a"), ("b", .get, "/b"), ("c", .post, "/b")])
        let new = Self.collection([("c", .post, "/b"), ("a", .get, "/a"), ("b 2", .get, "/b")])
        #expect(Self.moves(old, new) == ["b → b 2"])
        #expect(Self.moves(old, old) == [])
    }

    @Test func `a request in another folder is recognised`() {
        let old = Self.collection([("a", .get, "/a")])
        var new = Self.collection([])
        new.items = [.folder(Folder(name: "users", items: old.items))]
        #expect(Self.moves(old, new) == ["a → users/a"])
    }

    @Test func `of several with the same URL the place in the order tells, or nothing does`() {
        let old = Self.collection([("a", .get, "/x"), ("b", .get, "/x"), ("c", .get, "/y")])
        #expect(
            Self.moves(old, Self.collection([("a 2", .get, "/x"), ("b 2", .get, "/x"), ("c", .get, "/y")]))
                == ["a → a 2", "b → b 2"])
        #expect(
            Self.moves(
                old, Self.collection([("c", .get, "/y"), ("z", .get, "/z"), ("a 2", .get, "/x"), ("b 2", .get, "/x")]))
                == [])
    }

    @Test func `one that has another URL, too, is another request`() {
        #expect(Self.moves(Self.collection([("a", .get, "/a")]), Self.collection([("b", .get, "/b")])) == [])
    }
}
